import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_PER_SECOND = 100

/** CPU seconds of a process and all its children so far (Linux); 0 where /proc is missing. */
export function cpuSecondsOf(pid: number): number {
  let ticks = 0
  for (const entry of safeList('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const fields = statOf(Number(entry))
    if (!fields) continue
    const isOwn = Number(entry) === pid
    if (!isOwn && fields.parent !== pid) continue
    ticks += fields.own
    // Children that ended are counted in their parent.
    if (isOwn) ticks += fields.reaped
  }
  return ticks / TICKS_PER_SECOND
}

/** Process of the bundled PostgreSQL that runs on a directory. */
export function findPostmaster(directory: string): number {
  return Number(readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** CPU seconds of the thread that started this process so far (Linux); 0 where /proc is missing. */
export function mainThreadSeconds(): number {
  return (statOf(`self/task/${process.pid}`)?.own ?? 0) / TICKS_PER_SECOND
}

function statOf(pid: number | string): { parent: number; own: number; reaped: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, reaped: fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}

function safeList(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Highest resident memory while it runs, in bytes. */
export function watchMemory(): { stop: () => number } {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 50)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return peak
    },
  }
}

export function printTable(title: string, rows: Record<string, string | number>[]): void {
  console.log(`\n${title}`)
  const columns = Object.keys(rows[0] ?? {})
  const cell = (row: Record<string, string | number>, column: string) => String(row[column] ?? '')
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => cell(row, column).length)))
  const line = (cells: string[]) =>
    `| ${cells.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join(' | ')} |`
  console.log(line(columns))
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  for (const row of rows) console.log(line(columns.map((column) => cell(row, column))))
}
