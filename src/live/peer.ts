import type { PushMessage } from './push-message.ts'

/** Why we end a connection; clients that end it themselves are `client`. Names are counted. */
export type CloseReason =
  | 'client'
  | 'slow_consumer'
  | 'idle'
  | 'too_many_messages'
  | 'frame_too_large'
  | 'shutdown'
  | 'key_refused'
  | 'key_inactive'
  | 'too_many_connections'
  | 'protocol'

/** Close codes of RFC 6455 and the text sent with them. */
export const CLOSE_CODES: Partial<Record<CloseReason, number>> = {
  slow_consumer: 1013,
  too_many_messages: 1008,
  frame_too_large: 1009,
  shutdown: 1001,
  key_refused: 1008,
  key_inactive: 1008,
  too_many_connections: 1008,
}

/** The far end of a connection, whatever it speaks. */
export interface Peer {
  /** messages handed over that have not left the process yet */
  readonly queuedMessages: number
  readonly queuedBytes: number
  send(message: PushMessage): void
  /** Messages sent until `uncork` leave in one write. */
  cork(): void
  uncork(): void
  /** Says goodbye where there is a way to; the connection is gone at the latest after the linger time. */
  close(reason: CloseReason): void
  /** Called after messages have left, when there is room for more. */
  onDrain: () => void
}
