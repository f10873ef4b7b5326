import type { ActiveKey, KeyRing } from '../store/access/key-ring.ts'
import type { Shop } from './shop.ts'

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
