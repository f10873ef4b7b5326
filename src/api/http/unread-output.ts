import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export type UnreadLimits = {
  /** A connection with an answer of which nothing has left for so long is cut. */
  stalledMs: number
  /** So long a piece of an answer may take to leave: who reads a few bytes now and then is not let off. */
  pieceMs: number
  /** Unread bytes of all connections together; beyond it those with the most are cut, once they have stood still between two looks. */
  totalBytes: number
  checkMs: number
}

export const UNREAD_LIMITS: UnreadLimits = {
  stalledMs: 30_000,
  pieceMs: 300_000,
  totalBytes: 256 * 2 ** 20,
  checkMs: 5_000,
}

/** Ends a connection whose far end does not read. After a plain close the kernel would keep what is unread, for minutes. */
export function cutSocket(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy()
}

type Delivery = { bytes: number; since: number }

/** Cuts readers that do not read: an answer waits for them in memory, and a connection that has one to send never counts as idle. */
export function limitUnreadOutput(server: Server, limits: UnreadLimits = UNREAD_LIMITS): void {
  const sockets = new Map<Socket, Delivery>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { bytes: 0, since: performance.now() })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    // Node restarts this clock whenever bytes leave or arrive, and sets its own for an idle connection after the answer.
    socket.setTimeout(limits.stalledMs)
    response.on('timeout', () => {
      // Otherwise the answer is not made yet; a payment takes as long as its chain.
      if (socket.writableLength > 0) cutSocket(socket)
    })
  })
  const check = () => {
    const now = performance.now()
    const waiting: Socket[] = []
    let total = 0
    for (const [socket, delivery] of sockets) {
      const delivered = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || delivered !== delivery.bytes) {
        delivery.bytes = delivered
        delivery.since = now
      } else if (now - delivery.since >= limits.pieceMs) cutSocket(socket)
      else if (now - delivery.since >= limits.checkMs) waiting.push(socket)
      total += socket.writableLength
    }
    waiting.sort((a, b) => a.writableLength - b.writableLength)
    for (let socket = waiting.pop(); socket && total > limits.totalBytes; socket = waiting.pop()) {
      total -= socket.writableLength
      cutSocket(socket)
    }
  }
  const checking = setInterval(check, limits.checkMs)
  checking.unref()
  server.on('close', () => clearInterval(checking))
}
