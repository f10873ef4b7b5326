/** Bounds of pushed connections (docs/rules.md R49). Tests shrink them; nothing else should. */
export type PushLimits = {
  /** open connections of one client (IPv4 address, IPv6 /64, or whoever `admit` says it is) */
  connectionsPerClient: number
  /** open connections of the process */
  connections: number
  /** bytes of one incoming message */
  frameBytes: number
  /** incoming messages and pings in any one second */
  messagesPerSecond: number
  pingMs: number
  /** a connection without a sign of life for this long is dropped */
  idleMs: number
  /** messages that wait for a live subscriber before it counts as too slow */
  queueMessages: number
  queueBytes: number
  /** how often the key of a connection is checked: a revoked one ends within 5 s (docs/rules.md R52) */
  keyCheckMs: number
  /** time that a closed connection gets for its closing handshake */
  lingerMs: number
  /** heights that `from_height` may lie below the head */
  replayBlocks: number
  /** values in one filter */
  filterValues: number
  /** a height is pushed when it is this close to the head of the source (docs/rules.md R48) */
  pushWithin: number
}

export const DEFAULT_LIMITS: PushLimits = {
  connectionsPerClient: 10,
  connections: 10_000,
  frameBytes: 10_240,
  messagesPerSecond: 20,
  pingMs: 15_000,
  idleMs: 30_000,
  queueMessages: 64,
  queueBytes: 1 << 20,
  keyCheckMs: 1_000,
  lingerMs: 5_000,
  replayBlocks: 1_000,
  filterValues: 50,
  pushWithin: 10,
}
