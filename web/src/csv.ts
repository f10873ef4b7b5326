type Json = unknown

/** Nested objects become columns such as `sender.hash`; lists stay as JSON. */
function flatten(value: Record<string, Json>, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, part]): [string, string][] => {
    const key = `${prefix}${name}`
    if (part === null || part === undefined) return [[key, '']]
    if (Array.isArray(part)) return [[key, JSON.stringify(part)]]
    if (typeof part === 'object') return flatten(part as Record<string, Json>, `${key}.`)
    return [[key, String(part)]]
  })
}

/** A cell that a spreadsheet would run as a formula is marked as text: others wrote memos and names. */
function quote(text: string): string {
  const safe = /^[=+@\t\r]|^-[^\d.]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as RFC 4180; the columns are those of all rows, in the order of their appearance. */
export function toCsv(rows: readonly object[]): string {
  const flat = rows.map((row) => new Map(flatten(row as Record<string, Json>)))
  const columns = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  const lines = flat.map((row) => columns.map((column) => quote(row.get(column) ?? '')).join(','))
  return `${[columns.map(quote).join(','), ...lines].join('\r\n')}\r\n`
}

/** Hands a text to the browser as a file. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
