// A PostgreSQL cluster under Patroni on loopback: etcd and several nodes, each of which can be lost and come back.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POSTGRES = '/usr/lib/postgresql'
const PASSWORD = 'astrolabe'

/** Names of the programs that are not installed. */
export function findMissing() {
  const missing = ['patroni', 'etcd'].filter((name) => spawnSync('which', [name]).status !== 0)
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

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

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
    // A group of its own: a machine that is lost takes Patroni and PostgreSQL with it.
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
  const cluster = {
    url: `postgres://astrolabe:${PASSWORD}@${list.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    urlOf: ({ port }) => `postgres://astrolabe:${PASSWORD}@127.0.0.1:${port}/postgres`,
    nodes: list,
    /** What Patroni itself says of its members. */
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
    /** Until all nodes are there, one of them as the leader. */
    async untilWhole(ms = 120_000) {
      for (const until = Date.now() + ms; Date.now() < until; await sleep(500)) {
        const members = await cluster.members()
        const isRunning = ({ state, lag }) => /running|streaming/.test(state) && lag !== 'unknown'
        if (members.length === list.length && members.every(isRunning) && (await cluster.leader())) return
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
