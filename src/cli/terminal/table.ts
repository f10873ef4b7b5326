/** Rows as text in columns; the first line names them. */
export function formatTable(rows: readonly Record<string, unknown>[]): string {
  const [first] = rows
  if (!first) return ''
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)))
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
