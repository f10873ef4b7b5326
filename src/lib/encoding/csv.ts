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

/** The elements of a list in one cell: separated by `;`, with a backslash before each `;` and backslash inside of them. */
export function listCell(cells: readonly Cell[]): string {
  return cells.map((cell) => (cell === null || cell === undefined ? '' : String(cell).replace(/[\\;]/g, '\\$&'))).join(';')
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
