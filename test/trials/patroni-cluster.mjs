// A PostgreSQL cluster under Patroni on loopback: etcd, several nodes, each of which can be lost and come back, and HAProxy in front of them.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { built } from '../../scripts/built.mjs'

const { freePort } = await built('src/lib/free-port.js')

const POSTGRES = '/usr/lib/postgresql'
const PASSWORD = 'astrolabe'

/** Names of the programs that are not installed. */
export function findMissing() {
  const missing = ['patroni', 'etcd', 'haproxy'].filter((name) => spawnSync('which', [name]).status !== 0)
  return findBinaries() ? missing : [...missing, 'postgresql']
}

function findBinaries() {
  if (!existsSync(POSTGRES)) return undefined
  const [version] = readdirSync(POSTGRES)
    .filter((name) => existsSync(join(POSTGRES, name, 'bin/initdb')))
    .sort((a, b) => Number(b) - Number(a))
  return version && join(POSTGRES, version, 'bin')
}

/** PostgreSQL does not run as root. */
function findUser() {
  if (process.getuid() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout))
  return { uid, gid }
}

/** Settings as short as Patroni allows, so that a loss is noticed within 20 s instead of 30. */
const settingsOf = ({ isSynchronous }) => ({
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 3,
  maximum_lag_on_failover: 16_777_216,
  synchronous_mode: isSynchronous,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, max_wal_senders: 10, wal_keep_size: '512MB', hot_standby_feedback: 'on', jit: 'off' },
  },
})

/**
 * One address for the primary and one for a standby, told apart by Patroni's own answers. All connections of a client go to the same standby:
 * two of them would show it different heads. Connections to a server that lost its role are closed.
 */
const proxySettings = (nodes, ports) => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
${Object.entries(ports)
  .map(
    ([role, port]) => `
listen ${role}
  bind 127.0.0.1:${port}
  balance source
  option httpchk GET /${role}
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: to, rest }) => `  server ${name} 127.0.0.1:${to} check port ${rest}`).join('\n')}
`,
  )
  .join('')}`

export async function startPatroni(folder, { nodes = 3, isSynchronous = true } = {}) {
  const user = findUser()
  const own = (path) => {
    if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  own(folder)
  const running = new Set()
  const run = (command, args, name) => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    // Its own group: a machine that is lost takes Patroni and PostgreSQL with it.
    const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true, cwd: folder, ...user })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }
  const [client, peer] = [await freePort(), await freePort()]
  const etcdUrl = `http://127.0.0.1:${client}`
  const peerUrl = `http://127.0.0.1:${peer}`
  run(
    'etcd',
    [
      '--name',
      'one',
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      etcdUrl,
      '--advertise-client-urls',
      etcdUrl,
    ].concat(['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `one=${peerUrl}`]),
    'etcd',
  )
  const list = []
  for (let i = 1; i <= nodes; i++) {
    const name = `node${i}`
    const [port, rest] = [await freePort(), await freePort()]
    own(mkdirSync(join(folder, name), { recursive: true }) ?? join(folder, name))
    const file = join(folder, `${name}.json`)
    const hba = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']
    writeFileSync(
      file,
      JSON.stringify({
        scope: 'astrolabe',
        name,
        restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
        etcd3: { hosts: [`127.0.0.1:${client}`] },
        bootstrap: { dcs: settingsOf({ isSynchronous }), initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'] },
        postgresql: {
          listen: `127.0.0.1:${port}`,
          connect_address: `127.0.0.1:${port}`,
          data_dir: join(folder, name, 'data'),
          bin_dir: findBinaries(),
          pgpass: join(folder, `${name}.pgpass`),
          pg_hba: hba,
          parameters: { unix_socket_directories: join(folder, name) },
          authentication: {
            superuser: { username: 'astrolabe', password: PASSWORD },
            replication: { username: 'replicator', password: PASSWORD },
          },
        },
      }),
    )
    own(file)
    list.push({ name, port, rest, start: () => run('patroni', [file], name), child: undefined })
  }
  const start = (node) => {
    node.child = node.start()
  }
  const proxied = { primary: await freePort(), replica: await freePort() }
  const urlAt = (address) => `postgres://astrolabe:${PASSWORD}@${address}/postgres`
  const cluster = {
    url: urlAt(list.map(({ port }) => `127.0.0.1:${port}`).join(',')),
    urlOf: ({ port }) => urlAt(`127.0.0.1:${port}`),
    /** Through HAProxy. */
    proxied: { primary: urlAt(`127.0.0.1:${proxied.primary}`), replica: urlAt(`127.0.0.1:${proxied.replica}`) },
    nodes: list,
    /** Members of the cluster as Patroni reports them. */
    async members() {
      for (const { rest } of list) {
        const answer = await fetch(`http://127.0.0.1:${rest}/cluster`, { signal: AbortSignal.timeout(1000) }).catch(
          () => undefined,
        )
        if (answer?.ok) return (await answer.json()).members
      }
      return []
    },
    async leader() {
      const found = (await cluster.members()).find(({ role, state }) => role === 'leader' && state === 'running')
      return found && list.find(({ name }) => name === found.name)
    },
    /** Until all nodes are there, one of them as the leader; with synchronous replication, also one that commits wait for. Before that they wait for none, and a loss may lose some. */
    async untilWhole(ms = 120_000) {
      for (const until = Date.now() + ms; Date.now() < until; await sleep(500)) {
        const members = await cluster.members()
        const isRunning = ({ state, lag }) => /running|streaming/.test(state) && lag !== 'unknown'
        const isSafe = !isSynchronous || members.some(({ role }) => role === 'sync_standby')
        if (members.length === list.length && members.every(isRunning) && isSafe && (await cluster.leader())) return
      }
      throw new Error(`the cluster did not become whole: ${JSON.stringify(await cluster.members())} (logs: ${folder})`)
    },
    /** The machine is gone: nothing of it says goodbye. */
    lose(node) {
      for (const pid of [findPostmaster(node), node.child.pid]) {
        if (pid === undefined) continue
        for (const child of childrenOf(pid)) kill(child)
        kill(pid)
      }
    },
    restart: start,
    async stop() {
      for (const node of list) if (node.child) cluster.lose(node)
      for (const child of running) kill(child.pid)
      while (running.size > 0) await sleep(50)
    },
  }
  const findPostmaster = ({ name }) => {
    const file = join(folder, name, 'data/postmaster.pid')
    const { stdout } = spawnSync('head', ['-1', file], { encoding: 'utf8' })
    return stdout.trim() === '' ? undefined : Number(stdout)
  }
  await sleep(1000)
  for (const node of list) start(node)
  const proxy = join(folder, 'haproxy.cfg')
  writeFileSync(proxy, proxySettings(list, proxied))
  run('haproxy', ['-db', '-f', proxy], 'haproxy')
  return cluster
}

const childrenOf = (pid) =>
  spawnSync('ps', ['--ppid', String(pid), '-o', 'pid='], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter((each) => each > 0)

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
