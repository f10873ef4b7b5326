import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { cutSocket } from '../api/http/unread-output.ts'
import { CLOSE_CODES, type CloseReason, type Peer } from './peer.ts'
import type { PushMessage } from './push-message.ts'

/** A WebSocket as a peer. Nothing is buffered here: the session keeps what does not fit. */
export class SocketPeer implements Peer {
  readonly #socket: WebSocket
  readonly #raw: Duplex
  readonly #lingerMs: number
  #queued = 0
  #linger: NodeJS.Timeout | undefined
  onDrain = () => {}
  /** Set when we ended the connection. */
  closedBy: CloseReason | undefined

  /** `raw` is the stream below the WebSocket. */
  constructor(socket: WebSocket, raw: Duplex, lingerMs: number) {
    this.#socket = socket
    this.#raw = raw
    this.#lingerMs = lingerMs
    socket.on('close', () => clearTimeout(this.#linger))
  }

  get queuedMessages(): number {
    return this.#queued
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount
  }

  send(message: PushMessage): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#queued++
    this.#socket.send(message.frame, { binary: false, compress: false }, this.#onSent)
  }

  cork(): void {
    this.#raw.cork()
  }

  uncork(): void {
    this.#raw.uncork()
  }

  /** Also called with an error when the socket is gone; `close` follows then. */
  readonly #onSent = () => {
    this.#queued--
    this.onDrain()
  }

  close(reason: CloseReason): void {
    if (this.closedBy) return
    this.closedBy = reason
    const code = CLOSE_CODES[reason]
    if (code === undefined) {
      this.#cut()
      return
    }
    this.#socket.close(code, reason)
    // One that reads nothing does not read the goodbye either.
    this.#linger = setTimeout(() => this.#cut(), this.#lingerMs)
    this.#linger.unref()
  }

  #cut(): void {
    if (this.#raw instanceof Socket) cutSocket(this.#raw)
    else this.#socket.terminate()
  }
}
