import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../src/lib/free-port.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'

/** One PostgreSQL of a cluster. */
export type ClusterServer = {
  url: string
  place: string
  /** runs a statement as the owner */
  run: (sql: string) => Promise<void>
  /** ends it without a goodbye, as a crash does */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** starts it again as a standby after a crash */
  demote: () => Promise<void>
}

export type Cluster = { primary: ClusterServer; standbys: ClusterServer[]; stop: () => Promise<void> }

/** A primary and its streaming standbys: copies of one folder, each with its own server. */
export async function startCluster(standbys: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-cluster-'))
  // The servers run as another user when we are root, who must be able to pass through.
  chmodSync(folder, 0o755)
  const ports = await Promise.all(Array.from({ length: standbys + 1 }, freePort))
  const directoryOf = (i: number) => join(folder, `server-${i}`)
  // Never to be read from before its first stop, so that the copies are whole.
  const first = await startEmbedded({ directory: directoryOf(0), ephemeral: true, port: ports[0]! })
  await first.stop()
  for (let i = 1; i <= standbys; i++) {
    execFileSync('cp', ['-a', directoryOf(0), directoryOf(i)])
    const data = join(directoryOf(i), 'postgres')
    const { username, password } = new URL(first.url)
    appendFileSync(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=${username} password=${password}'\nrecovery_target_timeline = 'latest'\n`,
    )
    makeStandby(data)
  }
  const servers = ports.map((port, i) => openServer(directoryOf(i), port))
  for (const server of servers) await server.start()
  return {
    primary: servers[0]!,
    standbys: servers.slice(1),
    async stop() {
      await Promise.all(servers.map((server) => server.kill()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function openServer(directory: string, port: number): ClusterServer {
  const url = `postgres://astrolabe:astrolabe@127.0.0.1:${port}/postgres`
  const server: ClusterServer = {
    url,
    place: `127.0.0.1:${port}`,
    async run(sql) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(sql)
      await client.end()
    },
    async kill() {
      const pid = readPid(directory)
      if (pid === undefined) return
      // Its children go with it; SIGKILL would leave them.
      process.kill(pid, 'SIGQUIT')
      while (readPid(directory) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    async start() {
      await startEmbedded({ directory, ephemeral: true, port })
    },
    async demote() {
      await server.kill()
      makeStandby(join(directory, 'postgres'))
      await server.start()
    },
  }
  return server
}

const makeStandby = (data: string) => appendFileSync(join(data, 'standby.signal'), '')

function readPid(directory: string): number | undefined {
  try {
    return Number(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}
