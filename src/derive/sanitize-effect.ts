import { sanitizeText } from '../lib/bytes.ts'
import type { Effect } from '../types/effects.ts'

/** Texts of the chain may hold what PostgreSQL refuses; they are mended in place, at any depth. */
export function sanitizeEffect(effect: Effect): void {
  sanitizeValues(effect as unknown as Record<string, unknown>)
}

function sanitizeValues(holder: Record<string, unknown>): void {
  for (const key in holder) {
    const value = holder[key]
    if (typeof value === 'string') holder[key] = sanitizeText(value)
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      sanitizeValues(value as Record<string, unknown>)
  }
}
