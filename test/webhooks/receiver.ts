import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { waitUntil } from '../live/stack.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'

export type Received = {
  id: string
  type: string
  timestamp: string
  network: string
  height: number
  position: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects as they need
  data: any
}

/** Known later, when a subscription is made for a receiver that listens already. */
export type Secrets = () => readonly string[] | Promise<readonly string[]>

/** Behaviour of a receiver. Only `ok` takes it; the one that lies takes it and says that it failed. */
export type Manner = 'ok' | 'fail' | 'hang' | 'lie' | 'reset' | 'redirect' | 'flood' | 'gone'

/** A receiver that verifies every request with the package of the convention, and behaves as it is told. */
export class Receiver {
  /** taken, in the order of arrival */
  readonly events: Received[] = []
  /** how many requests came, taken or not */
  requests = 0
  /** signatures of each request */
  readonly signatures: string[] = []
  readonly invalid: unknown[] = []
  manner: (request: number) => Manner = () => 'ok'
  #server: Server
  #port = 0
  #secrets: Secrets

  private constructor(secrets: Secrets) {
    this.#secrets = secrets
    this.#server = this.#create()
  }

  /** `secrets`: any of them may have signed. */
  static async open(secrets: Secrets): Promise<Receiver> {
    const receiver = new Receiver(secrets)
    await receiver.start()
    closeAfterwards(() => receiver.stop())
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`
  }

  async start(): Promise<void> {
    this.#server = this.#create()
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Connections are cut: whoever waits for an answer gets none. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Resolves once `test` holds for what was taken. */
  async until(test: (events: readonly Received[]) => boolean): Promise<readonly Received[]> {
    await waitUntil(() => test(this.events))
    return this.events
  }

  #create(): Server {
    return createServer((request, response) => void this.#take(request, response).catch(() => response.destroy()))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const manner = this.manner(++this.requests)
    const event = this.#verify(request, Buffer.concat(chunks).toString('utf8'), await this.#secrets())
    if (!event) return void response.writeHead(400).end()
    switch (manner) {
      case 'ok':
        this.events.push(event)
        return void response.writeHead(204).end()
      case 'lie':
        this.events.push(event)
        return void response.writeHead(500).end()
      case 'flood':
        this.events.push(event)
        response.writeHead(200)
        // Far more than anybody should read of it.
        return void response.end(Buffer.alloc(4 << 20))
      case 'fail':
        return void response.writeHead(503).end()
      case 'gone':
        return void response.writeHead(410).end()
      case 'redirect':
        return void response.writeHead(307, { location: this.url }).end()
      case 'reset':
        return void request.socket.resetAndDestroy()
      case 'hang':
        return
    }
  }

  #verify({ headers }: IncomingMessage, body: string, secrets: readonly string[]): Received | undefined {
    this.signatures.push(String(headers['webhook-signature']))
    for (const secret of secrets)
      try {
        const event = new Webhook(secret).verify(body, headers as Record<string, string>) as Omit<Received, 'id'>
        return { id: String(headers['webhook-id']), ...event }
      } catch (error) {
        this.invalid.push(error)
      }
    return undefined
  }
}
