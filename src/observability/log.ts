import { type DestinationStream, type Logger, pino } from 'pino'

/** Fields that hold secrets wherever they stand in a line. */
const REDACTED = [
  'apikey',
  'authorization',
  'cookie',
  'payment-signature',
  'x-payment',
  'pepper',
  'secret_key',
  'settler_key',
  'url',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`])

/** Secrets inside texts, of errors for example: our keys, and passwords in addresses. */
const SECRETS: [RegExp, string][] = [
  [/astro_([a-z]{2,8})_[0-9A-Za-z]{30,}/g, 'astro_$1_[redacted]'],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"\\]+@/gi, '$1[redacted]@'],
  [/\b(Bearer|Payment) +[\w.~+/=-]{8,}/g, '$1 [redacted]'],
]

function scrub(text: string): string {
  let clean = text
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement)
  return clean
}

/**
 * JSON lines. Secrets are taken out twice: fields by name, and whatever looks like one from the finished line, because texts of
 * errors come from elsewhere.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination({ fd: 2, sync: true })): Logger {
  return pino(
    { level, base: null, redact: { paths: REDACTED, censor: '[redacted]' } },
    { write: (line: string) => destination.write(scrub(line)) },
  )
}

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
