import type { CloseReason } from './peer.ts'

/** Events of pushed connections, for logs and metrics. */
export type PushObserver = {
  opened(kind: 'socket' | 'events'): void
  closed(kind: 'socket' | 'events', reason: CloseReason): void
  refused(reason: 'client_connections' | 'connections'): void
  subscribed(channel: string, change: 1 | -1): void
  sent(channel: string): void
  /** seconds from the movement of the head to the last subscriber */
  published(seconds: number): void
  failed(error: unknown): void
}

export const SILENT_OBSERVER: PushObserver = {
  opened: () => {},
  closed: () => {},
  refused: () => {},
  subscribed: () => {},
  sent: () => {},
  published: () => {},
  failed: () => {},
}
