import { createHash } from 'node:crypto'
import { randomBase62 } from '../store/access/key-text.ts'

/** Message to a receiver: an event of the chain, or a notice about the subscription itself. */
export type Message = {
  /** `webhook-id`: the same for every attempt */
  id: string
  type: string
  height: number
  position: number
  body: string
}

const ID_BYTES = 20

/** The id of an event of the chain follows from what it is about, so an attempt after a crash has the id of the one before. */
export function eventIdOf(webhookId: string, event: { type: string; position: number }, blockHash: string): string {
  const name = [webhookId, event.type, blockHash, event.position].join(' ')
  return `msg_${createHash('sha256').update(name).digest().subarray(0, ID_BYTES).toString('base64url')}`
}

/** For what happens once and is written down before it is sent. */
export const makeEventId = (): string => `msg_${randomBase62(27)}`

export type Envelope = {
  type: string
  /** when it happened: the time of the block */
  timestamp: string
  network: string
  height: number
  position: number
}

/** `data` is JSON already: an object as REST writes it. */
export function writeBody({ type, timestamp, network, height, position }: Envelope, data: string): string {
  return `${JSON.stringify({ type, timestamp, network, height, position }).slice(0, -1)},"data":${data}}`
}
