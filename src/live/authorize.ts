import type { IncomingMessage } from 'node:http'
import { toErrorAnswer } from '../api/http/error-answer.ts'
import type { ConnectionSlot } from './connection-slot.ts'
import type { PushContext } from './context.ts'
import type { CloseReason } from './peer.ts'

export type KeyRefusal = { message: string; reason: CloseReason }

/** Counts a connection for the account of a key. A wrong key does not fall back to the free plan: the connection is closed. */
export async function takeKey(
  { allowKey, observer }: PushContext,
  slot: ConnectionSlot,
  request: IncomingMessage,
  key: string,
): Promise<KeyRefusal | undefined> {
  try {
    const limit = await slot.moveTo(allowKey!(request, key))
    if (limit === undefined) return undefined
    observer.refused(limit)
    return { message: 'too many connections', reason: 'too_many_connections' }
  } catch (error) {
    return { message: toErrorAnswer(error).body.message, reason: 'key_refused' }
  }
}
