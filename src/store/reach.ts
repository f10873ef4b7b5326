import pg from 'pg'
import { OperatorError } from '../lib/errors.ts'

const CONNECT_MS = 5000

/** Connects once, so that what is wrong with the address, the role or the database is one sentence and not a trace. */
export async function checkReachable(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new OperatorError(
      'database_address',
      'DATABASE_URL is no address of a PostgreSQL: postgres://USER:PASSWORD@HOST:PORT/DATABASE is wanted',
    )
  const client = new pg.Client({
    connectionString: url,
    application_name: 'astrolabe check',
    connectionTimeoutMillis: CONNECT_MS,
  })
  try {
    await client.connect()
  } catch (error) {
    throw new OperatorError('database_away', explainConnect(error as Error & { code?: string }, url), {}, error)
  } finally {
    await client.end()
  }
}

/** Without user and password: it ends up in logs. */
export function explainConnect({ code = '', message }: { code?: string; message: string }, url: string): string {
  const { host, pathname } = new URL(url)
  const place = host || 'the local socket'
  if (code.startsWith('28')) return `PostgreSQL at ${place} does not let the role of DATABASE_URL in: ${message}`
  if (code === '3D000') return `PostgreSQL at ${place} has no database ${pathname.slice(1)}: create it, or put DATABASE_URL right`
  if (/^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE') return `PostgreSQL at ${place} cannot be used: ${message}`
  return `no PostgreSQL answers at ${place}: start it, or put DATABASE_URL right (${message})`
}
