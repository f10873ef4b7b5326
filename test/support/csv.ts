/** Rows of a CSV text (RFC 4180); an absent cell reads as the empty text. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\r?\n|$)/y
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text)
    if (!match) throw new Error(`no CSV: ${text.slice(cell.lastIndex, cell.lastIndex + 100)}`)
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
