import type { ServerResponse } from 'node:http'
import { cutSocket } from '../api/http/unread-output.ts'
import type { CloseReason, Peer } from './peer.ts'
import type { PushMessage } from './push-message.ts'

/** A response of server-sent events as a peer. It has no goodbye: the browser comes back with the id of its last event. */
export class EventStreamPeer implements Peer {
  readonly #response: ServerResponse
  readonly #lingerMs: number
  #queued = 0
  onDrain = () => {}
  closedBy: CloseReason | undefined

  constructor(response: ServerResponse, lingerMs: number) {
    this.#response = response
    this.#lingerMs = lingerMs
  }

  get queuedMessages(): number {
    return this.#queued
  }

  get queuedBytes(): number {
    return this.#response.writableLength
  }

  send(message: PushMessage): void {
    this.#write(message.event)
  }

  cork(): void {
    this.#response.cork()
  }

  uncork(): void {
    this.#response.uncork()
  }

  /** Keep-alive. The id lets a client that saw nothing for long resume from here and not from its last event. */
  beat(height: number | undefined): void {
    this.#write(Buffer.from(height === undefined ? ':\n\n' : `id: ${height}\n\n`))
  }

  close(reason: CloseReason): void {
    if (this.closedBy) return
    this.closedBy = reason
    this.#response.end()
    setTimeout(() => this.cut(), this.#lingerMs).unref()
  }

  /** Ends a connection that nobody reads from. */
  cut(): void {
    if (this.#response.socket) cutSocket(this.#response.socket)
  }

  #write(bytes: Buffer): void {
    if (this.closedBy) return
    this.#queued++
    this.#response.write(bytes, () => {
      this.#queued--
      this.onDrain()
    })
  }
}
