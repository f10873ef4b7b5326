import type pg from 'pg'
import { OperatorError, Transient } from '../../lib/errors.ts'
import { hasSeveralServers, isPostgresUrl, listServers } from './address.ts'
import { openClient } from './client.ts'
import { findPrimary, readTimeline } from './find-primary.ts'

const CONNECT_MS = 5000

/** Connects once, so that what is wrong with the address, the role or the database is one sentence and not a trace. */
export async function checkReachable(url: string, setting = 'DATABASE_URL'): Promise<void> {
  if (!isPostgresUrl(url))
    throw new OperatorError(
      'database_address',
      `${setting} is no address of a PostgreSQL: postgres://USER:PASSWORD@HOST:PORT/DATABASE is wanted`,
    )
  // To find the one that takes writes each of them is asked, and what they said is in the sentence.
  if (hasSeveralServers(url)) await findPrimary(url).catch((error) => explainNone(error, setting))
  else await checkServer(url, setting)
}

async function checkServer(url: string, setting: string): Promise<void> {
  let client: pg.Client | undefined
  let timeline: number | undefined
  try {
    client = await openClient(listServers(url)[0]!.url, {
      application_name: 'astrolabe check',
      connectionTimeoutMillis: CONNECT_MS,
    })
    timeline = await readTimeline(client)
  } catch (error) {
    throw new OperatorError('database_away', explainConnect(error as Error & { code?: string }, url, setting), {}, error)
  } finally {
    await client?.end()
  }
  if (timeline === undefined)
    throw new OperatorError(
      'database_standby',
      `PostgreSQL at ${placeOf(url)} is a standby and takes no writes: set ${setting} to the primary, or to all hosts separated by commas; a standby belongs into DATABASE_READ_URL`,
    )
}

function explainNone(error: Error, setting: string): never {
  if (!(error instanceof Transient)) throw error
  throw new OperatorError('database_away', `${error.message}: start one, or put ${setting} right`, {}, error)
}

const placeOf = (url: string): string => listServers(url)[0]!.place

/** Without user and password: it ends up in logs. */
export function explainConnect(
  { code = '', message }: { code?: string; message: string },
  url: string,
  setting = 'DATABASE_URL',
): string {
  const place = placeOf(url)
  if (code.startsWith('28')) return `PostgreSQL at ${place} does not let the role of ${setting} in: ${message}`
  if (code === '3D000')
    return `PostgreSQL at ${place} has no database ${new URL(listServers(url)[0]!.url).pathname.slice(1)}: create it, or put ${setting} right`
  if (/^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE') return `PostgreSQL at ${place} cannot be used: ${message}`
  return `no PostgreSQL answers at ${place}: start it, or put ${setting} right (${message})`
}
