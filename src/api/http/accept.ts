/** Forms of a list beside JSON, one row per line. */
export const ROW_FORMS = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export type RowForm = keyof typeof ROW_FORMS

const JSON_TYPE = 'application/json'
const MENTIONS_ROWS = /csv|ndjson/i

type Range = { type: string; quality: number }

/**
 * The form of a list that a caller prefers; undefined is JSON, which everybody gets who does not name another: no `Accept` is refused.
 * A form that is named beats one that only a wildcard allows, and JSON beats the others where both are named alike.
 */
export function rowFormOf(accept: string | undefined): RowForm | undefined {
  if (accept === undefined || !MENTIONS_ROWS.test(accept)) return undefined
  const ranges = accept.split(',').map(readRange)
  const named = (type: string) => ranges.find((range) => range.type === type)?.quality
  let best: RowForm | undefined
  let quality = named(JSON_TYPE) ?? 0
  for (const form of ['csv', 'ndjson'] as const) {
    const own = named(ROW_FORMS[form]) ?? 0
    if (own > quality) [best, quality] = [form, own]
  }
  return best
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, quality: Number.isNaN(quality) ? 0 : quality }
}
