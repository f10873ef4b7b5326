import type { ServerResponse } from 'node:http'

const PIECE = Buffer.alloc(2 ** 20, ' ')

/** Answers without end, until the other side has had enough. */
export function flood(response: ServerResponse, onBytes: (bytes: number) => void): void {
  if (response.destroyed) return
  onBytes(PIECE.length)
  response.write(PIECE, () => flood(response, onBytes))
}
