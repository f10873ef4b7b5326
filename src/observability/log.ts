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
