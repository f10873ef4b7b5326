import { isStorable } from './storable.ts'

/** A value that is no text: a broken escape, bytes that are not UTF-8, or U+0000, which no stored text can hold. */
export const UNREADABLE = Symbol('unreadable')

export type QueryText = string | typeof UNREADABLE

/** Keys are lower-cased (they match case-blind) and only the first of repeated ones counts. */
export function parseQuery(text: string): Map<string, QueryText> {
  const values = new Map<string, QueryText>()
  let start = 0
  while (start < text.length) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      const equals = text.indexOf('=', start)
      const keyEnd = equals < 0 || equals > end ? end : equals
      const key = decodeText(text.slice(start, keyEnd))
      if (typeof key === 'string') {
        const name = key.toLowerCase()
        if (!values.has(name)) values.set(name, keyEnd === end ? '' : decodeText(text.slice(keyEnd + 1, end)))
      }
    }
    start = end + 1
  }
  return values
}

const NEEDS_DECODING = /[%+]/

function decodeText(raw: string): QueryText {
  if (!NEEDS_DECODING.test(raw)) return checkText(raw)
  try {
    return checkText(decodeURIComponent(raw.replaceAll('+', ' ')))
  } catch {
    // decodeURIComponent only throws on broken escapes and invalid UTF-8.
    return UNREADABLE
  }
}

const checkText = (text: string): QueryText => (isStorable(text) ? text : UNREADABLE)
