export type Cell = string | number | bigint | boolean | null | undefined

const QUOTED = /[",\n\r]/

/** A line of CSV (RFC 4180, with a bare line feed). An absent value is an empty cell, the empty text is `""`: readers can tell them apart. */
export function csvLine(cells: readonly Cell[]): string {
  let line = ''
  for (const [i, cell] of cells.entries()) {
    if (i > 0) line += ','
    if (cell === null || cell === undefined) continue
    const text = String(cell)
    line += text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `${line}\n`
}

/** A table with a line of names. */
export function csvTable(rows: readonly Record<string, Cell>[]): string {
  const [first] = rows
  return first ? [Object.keys(first), ...rows.map((row) => Object.values(row))].map(csvLine).join('') : ''
}

/** Marks a text as text where a spreadsheet would run it as a formula: strangers choose memos and names. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
