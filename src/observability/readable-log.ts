import type { DestinationStream } from 'pino'

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

type Line = { level: number; time: number; msg?: string; err?: { message?: string; stack?: string } } & Record<string, unknown>

/** Log lines for people at a terminal; machines get JSON. */
export function createReadableStream(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(formatLine(line)) }
}

/** `07:01:22 warn  node failed  node=10.0.0.1:26657 reason="the node cannot be reached"`; what is no JSON is left as it is. */
function formatLine(text: string): string {
  let line: Line
  try {
    line = JSON.parse(text) as Line
  } catch {
    return text
  }
  const { level, time, msg = '', err, ...fields } = line
  const facts = [...Object.entries(fields), ...(err?.message === undefined ? [] : [['error', err.message]])].map(
    ([name, value]) => `${String(name)}=${typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)}`,
  )
  // Of what may pass the reason is enough; of what may not, the place helps.
  const stack = level >= 50 && err?.stack ? `${err.stack}\n` : ''
  return `${new Date(time).toISOString().slice(11, 19)} ${(LEVELS[level] ?? String(level)).padEnd(5)} ${[msg, ...facts].join('  ')}\n${stack}`
}
