import { writeNotification } from './protocol.ts'

/** One notification, written once for all who get it, whatever way they are connected. */
export class PushMessage {
  readonly channel: string
  /** on channels of heights: the height after which a reconnecting client resumes */
  readonly height: number | undefined
  /** the whole notification with its final newline */
  readonly json: string
  #frame: Buffer | undefined
  #event: Buffer | undefined

  constructor(channel: string, json: string, height?: number) {
    this.channel = channel
    this.height = height
    this.json = json
  }

  static of(channel: string, body: unknown, height?: number): PushMessage {
    return new PushMessage(channel, writeNotification(channel, body), height)
  }

  /** Payload of a WebSocket text frame. */
  get frame(): Buffer {
    return (this.#frame ??= Buffer.from(this.json))
  }

  /** Message as a server-sent event: JSON has no line breaks inside, so it is one `data` line. */
  get event(): Buffer {
    const id = this.height === undefined ? '' : `id: ${this.height}\n`
    return (this.#event ??= Buffer.from(`${id}event: ${this.channel}\ndata: ${this.json}\n`))
  }

  get bytes(): number {
    return this.json.length
  }
}
