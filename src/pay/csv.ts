type Row = Record<string, string | number | null>

/** A table with a line of names; texts that hold a separator are quoted. */
export function toCsv(rows: readonly Row[]): string {
  const [first] = rows
  return first ? [csvHead(first), ...rows.map(csvLine)].join('') : ''
}

export const csvHead = (row: Row): string => `${Object.keys(row).join(',')}\n`
export const csvLine = (row: Row): string => `${Object.values(row).map(toCell).join(',')}\n`

function toCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
