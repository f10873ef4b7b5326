import type pg from 'pg'
import { Transient } from '../../lib/errors.ts'
import { listServers, type ServerAddress } from './address.ts'
import { openClient } from './client.ts'

const CONNECT_MS = 2000
/** Once a primary is found, the others get this long to say that they are one too, on a later timeline. */
const GRACE_MS = 300
/** Time for which a found primary is used without asking again, unless it cannot be connected to. */
const KEPT_MS = 1000

/** The timeline grows with every promotion: of two servers that take writes, the one on the lower was demoted and does not know yet. */
type Probe = { timeline: number | undefined; reason: string }

const looks = new Map<string, { at: number; found: Promise<string> }>()

/** The address of the one server that takes writes. Throws a `Transient` while there is none. */
export function findPrimary(url: string): Promise<string> {
  const servers = listServers(url)
  if (servers.length === 1) return Promise.resolve(servers[0]!.url)
  const kept = looks.get(url)
  if (kept && performance.now() - kept.at < KEPT_MS) return kept.found
  const found = lookFor(servers)
  looks.set(url, { at: performance.now(), found })
  // A failure is not kept: who asks next looks again.
  found.catch(() => looks.delete(url))
  return found
}

/** The next one to ask looks again. */
export function forgetPrimary(url: string): void {
  looks.delete(url)
}

async function lookFor(servers: readonly ServerAddress[]): Promise<string> {
  const probes = new Map<ServerAddress, Probe>()
  let hurry = () => {}
  const grace = new Promise<void>((resolve) => {
    hurry = () => setTimeout(resolve, GRACE_MS)
  })
  const all = servers.map(async (server) => {
    const probe = await probeServer(server.url)
    probes.set(server, probe)
    if (probe.timeline !== undefined) hurry()
  })
  await Promise.race([Promise.all(all), grace])
  const [first] = [...probes]
    .filter(([, { timeline }]) => timeline !== undefined)
    .sort(([, a], [, b]) => b.timeline! - a.timeline!)
  if (first) return first[0].url
  const reasons = servers.map((server) => `${server.place} ${probes.get(server)?.reason ?? 'did not answer'}`)
  throw new Transient('no_primary', `no PostgreSQL of the address takes writes: ${reasons.join('; ')}`)
}

async function probeServer(url: string): Promise<Probe> {
  const config = {
    application_name: 'astrolabe find primary',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  }
  let client: pg.Client | undefined
  try {
    client = await openClient(url, config)
    const timeline = await readTimeline(client)
    return timeline === undefined ? { timeline, reason: 'is a standby' } : { timeline, reason: 'takes writes' }
  } catch (error) {
    return { timeline: undefined, reason: `cannot be used (${(error as Error).message})` }
  } finally {
    await client?.end().catch(() => {})
  }
}

/** Undefined for a server that takes no writes: a standby, or one that an operator made read-only. */
export async function readTimeline(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ timeline: number | null }>(
    `select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
                 then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
  )
  return rows[0]?.timeline ?? undefined
}

/** The first server of an address that answers, whatever its role. Undefined when none does. */
export async function findAnswering(url: string): Promise<ServerAddress | undefined> {
  for (const server of listServers(url)) {
    const config = { application_name: 'astrolabe check', connectionTimeoutMillis: 2000 }
    const client = await openClient(server.url, config).catch(() => undefined)
    await client?.end()
    if (client) return server
  }
  return undefined
}
