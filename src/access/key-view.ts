import type { ListedKey } from '../store/access/keys.ts'

/** A key as its owner and the operator see it. */
export function toKey(key: ListedKey) {
  const { id, label, prefix, last4, restrictions, created_at, expires_at, replaced_by, last_used } = key
  return {
    id,
    name: label,
    key: `${prefix}…${last4}`,
    restrictions,
    state: stateOf(key),
    created_at,
    expires_at,
    replaced_by,
    last_used,
  }
}

function stateOf({ revoked_at, expires_at }: ListedKey): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return expires_at === null || Date.parse(expires_at) > Date.now() ? 'active' : 'expired'
}
