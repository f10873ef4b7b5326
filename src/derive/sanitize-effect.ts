import { sanitizeText, toKeyText } from '../lib/encoding/bytes.ts'
import type { Effect } from '../types/effects.ts'

/** Texts that tables are keyed or searched by. */
const KEYS = new Set(['authorization', 'clientId', 'substituteId', 'connectionId', 'channelId', 'portId', 'chainId'])

/** Texts of the chain may hold what PostgreSQL refuses, or be longer than its indexes take; they are mended in place, at any depth. */
export function sanitizeEffect(effect: Effect): void {
  sanitizeValues(effect as unknown as Record<string, unknown>)
}

function sanitizeValues(holder: Record<string, unknown>): void {
  for (const key in holder) {
    const value = holder[key]
    if (typeof value === 'string') holder[key] = KEYS.has(key) ? toKeyText(value) : sanitizeText(value)
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      sanitizeValues(value as Record<string, unknown>)
  }
}
