import type { ChainEvent } from '../types/chain.ts'

/** Value of an attribute; a repeated key keeps its last value. */
export function attributeOf(event: ChainEvent, key: string): string | undefined {
  const { attributes } = event
  for (let at = attributes.length - 1; at >= 0; at--) {
    const attribute = attributes[at]!
    if (attribute[0] === key) return attribute[1]
  }
  return undefined
}

/** Typed events (their type has dots) carry JSON per attribute; some old ones carry bare strings: both are read. */
export function typedValueOf(event: ChainEvent, key: string): unknown {
  const text = attributeOf(event, key)
  if (text === undefined || text === 'null') return undefined
  const first = text[0]
  if (first !== '"' && first !== '[' && first !== '{') return text
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON after all: the text itself is the value.
    return text
  }
}

/** Empty when absent, `null` or no text. */
export function typedTextOf(event: ChainEvent, key: string): string {
  const value = typedValueOf(event, key)
  return typeof value === 'string' ? value : ''
}

/** Domains and similar 32-bit numbers, written bare or quoted. */
export function typedNumberOf(event: ChainEvent, key: string): number | undefined {
  const text = typedTextOf(event, key)
  if (!/^\d{1,15}$/.test(text)) return undefined
  return Number(text)
}

export function findEvent(events: readonly ChainEvent[], type: string): ChainEvent | undefined {
  for (const event of events) if (event.type === type) return event
  return undefined
}
