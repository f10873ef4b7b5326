import { once } from 'node:events'
import { type ClientOptions, WebSocket } from 'ws'

export type Notice = { channel: string; body: Record<string, unknown> }

/** A real WebSocket client that keeps what it was sent. */
export class WsClient {
  readonly socket: WebSocket
  readonly notices: Notice[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  #waiting: (() => void)[] = []
  #taken = 0
  #goodbye = ''

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options)
    this.socket.on('message', (payload) => {
      this.notices.push(JSON.parse(String(payload)) as Notice)
      this.#wake()
    })
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code, reason) => {
        this.#goodbye = `${code} ${reason}`
        resolve({ code, reason: String(reason) })
        this.#wake()
      }),
    )
    // Tests look at `closed`.
    this.socket.on('error', () => {})
  }

  static async open(url: string, options?: ClientOptions): Promise<WsClient> {
    const client = new WsClient(url, options)
    await once(client.socket, 'open')
    return client
  }

  subscribe(channel: string, filters?: Record<string, unknown>): void {
    this.send({ method: 'subscribe', body: { channel, ...(filters && { filters }) } })
  }

  unsubscribe(channel: string, filters?: Record<string, unknown>): void {
    this.send({ method: 'unsubscribe', body: { channel, ...(filters && { filters }) } })
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || message instanceof Buffer ? message : JSON.stringify(message))
  }

  /** Subscribes and waits until the server has taken it in; the first height that will come. */
  async subscribed(channel: string, filters: Record<string, unknown> = {}): Promise<number | undefined> {
    const from = this.notices.length
    this.subscribe(channel, { ...filters, ack: true })
    const ack = await this.find((notice) => notice.channel === 'ack' && notice.body.channel === channel, from)
    return ack.body.next_height as number | undefined
  }

  /** The next notification that was not taken yet. */
  async next(): Promise<Notice> {
    while (this.#taken >= this.notices.length) await this.#change()
    return this.notices[this.#taken++]!
  }

  /** The first notification for which `test` holds, from place `from` on. */
  async find(test: (notice: Notice) => boolean, from = 0): Promise<Notice> {
    for (let at = from; ; at++) {
      while (at >= this.notices.length) await this.#change()
      if (test(this.notices[at]!)) return this.notices[at]!
    }
  }

  /** Waits for `count` notifications of a channel and gives their bodies. */
  async collect(channel: string, count: number): Promise<Record<string, unknown>[]> {
    const bodies = () => this.notices.filter((notice) => notice.channel === channel).map(({ body }) => body)
    while (bodies().length < count) await this.#change()
    return bodies()
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }

  #change(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED)
      throw new Error(`closed (${this.#goodbye}) after ${JSON.stringify(this.notices.at(-1))}`)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

/** Heights of block bodies in the order they came. */
export function heightsOf(bodies: Record<string, unknown>[]): number[] {
  return bodies.map(({ height }) => height as number)
}
