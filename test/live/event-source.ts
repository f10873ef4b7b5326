import { type IncomingMessage, request } from 'node:http'

export type ServerEvent = { id: string | undefined; event: string | undefined; data: string }

/** Reads server-sent events as the standard says, one block of lines after the other; blocks without data are left in. */
export class EventReader {
  readonly response: IncomingMessage
  readonly events: ServerEvent[] = []
  #rest = ''
  #waiting: (() => void)[] = []
  #isOver = false

  constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#read(text))
    response.on('close', () => {
      this.#isOver = true
      this.#wake()
    })
    // Cut off in the middle: `close` follows.
    response.on('error', () => {})
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    return new Promise((resolve, reject) => {
      request(url, { headers: { accept: 'text/event-stream', ...headers } }, (response) => resolve(new EventReader(response)))
        .on('error', reject)
        .end()
    })
  }

  /** Waits for `count` events that have data. */
  async collect(count: number): Promise<ServerEvent[]> {
    const full = () => this.events.filter(({ data }) => data !== '')
    while (full().length < count) await this.#change()
    return full()
  }

  async ended(): Promise<void> {
    while (!this.#isOver) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  close(): void {
    this.response.destroy()
  }

  async #change(): Promise<void> {
    if (this.#isOver) throw new Error(`the stream ended after ${this.events.length} events`)
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #read(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      this.events.push({ id: field('id'), event: field('event'), data: field('data') ?? '' })
    }
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
