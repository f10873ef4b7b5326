import type { IncomingHttpHeaders } from 'node:http'
import type { ActiveKey, KeyRing } from '../store/access/key-ring.ts'
import { looksLikeOurs } from '../store/access/key-text.ts'
import type { Shop } from './shop.ts'

/** `foreign`: a key was sent, but of another service. */
export type GivenKey = { text: string } | 'foreign' | undefined

/**
 * The key of a request, from `apikey` or `Authorization: Bearer`. A client that only changed the base address still sends the key of
 * the service it came from: that is no attempt to use one of ours.
 */
export function readGivenKey({ apikey, authorization }: IncomingHttpHeaders): GivenKey {
  const texts: string[] = []
  if (apikey !== undefined) texts.push(String(apikey))
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined) texts.push(token)
  const text = texts.find(looksLikeOurs)
  if (text !== undefined) return { text }
  return texts.length > 0 ? 'foreign' : undefined
}

/** Answers warn of the end of their key for so long. */
const WARN_MS = 7 * 86_400_000

const MESSAGES: Record<string, string> = {
  malformed: 'this is not an API key',
  unknown: 'the API key is not known',
  revoked: 'the API key was revoked',
  expired: 'the API key has expired',
}

type Parts = { ring: KeyRing; shop: Shop }

/** Why a key is refused, in words; of one that has ended also its plan and how to go on. */
export function explainRefusal({ ring, shop }: Parts, reason: string, text: string): string {
  const plan = reason === 'expired' ? ring.planOf(text) : undefined
  return plan === undefined ? MESSAGES[reason]! : `${MESSAGES[reason]}: it was of plan ${plan}; ${shop.sayHow(plan)}`
}

/** Headers that warn of the end of a key; none while that is far. */
export function endHeaders({ ring, shop }: Parts, key: ActiveKey): Record<string, string> {
  if (ring.timeLeft(key) > WARN_MS) return {}
  const end = new Date(key.expiresAt)
  const warning = `the API key of plan ${key.plan} expires at ${end.toISOString()}: ${shop.sayHow(key.plan)}`
  return { 'x-key-expires': end.toUTCString(), 'x-access-warning': warning }
}
