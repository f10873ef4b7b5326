// Builds the image of Dockerfile without a daemon and runs the services of compose.yaml with it: its commands, variables, names and
// restrictions, in a network namespace of their own. Then: stop, upgrade, back up, restore. Needs root on Linux and Debian's packages
// buildah, podman, runc, iproute2 and postgresql. The base image is NODE_IMAGE; without it, one is made by debootstrap.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readComposeServices } from '../../build/test/deploy/compose-file.js'
import { root } from '../../scripts/stamp.mjs'
import { need, runTrial, skip } from './trial.mjs'

const NODE_MAJOR = 24
const PATIENCE_MS = 300_000
const IMAGE = 'localhost/astrolabe-try'
const NAMESPACE = `astrolabe-${process.pid}`
/** Not `ip netns exec`: that hides the control groups which containers need. */
const IN_NAMESPACE = `--net=/run/netns/${NAMESPACE}`
const SECRETS = {
  POSTGRES_PASSWORD: 'superuser',
  INDEX_PASSWORD: 'index',
  API_PASSWORD: 'api',
  KEY_PEPPER: 'a pepper of at least 32 characters for this trial',
}

await runTrial('image', tryImage, { minutes: 30 })

async function tryImage({ folder, check, afterwards }) {
  if (process.platform !== 'linux' || process.getuid() !== 0) skip('an image is built here by root on Linux')
  need(
    ['buildah', 'podman', 'runc', 'ip', 'nsenter', 'runuser', ...(process.env.NODE_IMAGE ? [] : ['debootstrap'])],
    'Debian packages buildah, podman, runc, iproute2 and debootstrap',
  )
  const PG = (() => {
    try {
      const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
      return join('/usr/lib/postgresql', versions[0], 'bin')
    } catch {
      return skip('the Debian package postgresql is not installed')
    }
  })()

  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const podman = [...storage, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
  const run = (command, args, options = {}) =>
    execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e9, ...options })
  const inside = (command, args, options) => run('nsenter', [IN_NAMESPACE, command, ...args], options)
  const buildah = (...args) => run('buildah', [...storage, ...args]).trim()

  /** A minimal Debian with Node and npm. Certificates of this machine go along: a registry may be behind its own proxy. */
  function makeBase() {
    const tree = join(folder, 'base')
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', tree])
    run('npm', ['install', '--silent', '--no-save', '--prefix', join(folder, 'node'), `node@${NODE_MAJOR}`, 'npm@11'])
    cpSync(join(folder, 'node/node_modules/node/bin/node'), join(tree, 'usr/local/bin/node'))
    mkdirSync(join(tree, 'usr/local/lib/node_modules'), { recursive: true })
    cpSync(join(folder, 'node/node_modules/npm'), join(tree, 'usr/local/lib/node_modules/npm'), { recursive: true })
    writeFileSync(join(tree, 'usr/local/bin/npm'), '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n')
    chmodSync(join(tree, 'usr/local/bin/npm'), 0o755)
    cpSync('/etc/ssl/certs/ca-certificates.crt', join(tree, 'etc/ssl/certs/ca-certificates.crt'), { dereference: true })
    const container = buildah('from', 'scratch')
    buildah('add', '--quiet', container, tree, '/')
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', container)
    buildah('commit', '--quiet', container, `${IMAGE}-base`)
    buildah('rm', container)
    rmSync(tree, { recursive: true })
    return `${IMAGE}-base`
  }

  function buildImage() {
    const base = process.env.NODE_IMAGE || makeBase()
    const commit = run('git', ['rev-parse', '--short', 'HEAD']).trim()
    const args = ['--build-arg', `NODE_IMAGE=${base}`, '--build-arg', `COMMIT=${commit}`]
    buildah('build', '--quiet', '--isolation', 'chroot', '--network', 'host', '--format', 'docker', ...args, '--tag', IMAGE, '.')
    const [{ Size: size, Config: config }] = JSON.parse(run('podman', [...podman, 'inspect', '--type', 'image', IMAGE]))
    console.log(`image of ${commit}: ${(size / 1e6).toFixed(0)} MB with its base, user ${config.User}`)
  }

  /** PostgreSQL of Debian in the place of the image that compose.yaml names. */
  function startPostgres() {
    const data = join(folder, 'postgres')
    mkdirSync(data)
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(run('id', [flag, 'postgres'])))
    chownSync(data, uid, gid)
    const asPostgres = (program, ...args) => inside('runuser', ['-u', 'postgres', '--', join(PG, program), ...args])
    asPostgres('initdb', '--auth=trust', '-D', data)
    const log = join(data, 'log')
    asPostgres(
      'pg_ctl',
      '-D',
      data,
      '-l',
      log,
      '-w',
      '-o',
      `-c listen_addresses=127.0.0.1 -c unix_socket_directories=${data}`,
      'start',
    )
    afterwards(() => asPostgres('pg_ctl', '-D', data, '-m', 'fast', 'stop'))
    const env = { ...process.env, ...SECRETS, PGHOST: '127.0.0.1', POSTGRES_USER: 'postgres', POSTGRES_DB: 'astrolabe' }
    inside('createdb', ['-h', '127.0.0.1', '-U', 'postgres', 'astrolabe'])
    inside('sh', ['ops/compose/roles.sh'], { env })
  }

  const services = readComposeServices()

  function argumentsOf(name) {
    const { command, environment } = services.get(name)
    const env = Object.entries(environment).map(([key, value]) => {
      const filled = value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, secret) => SECRETS[secret] ?? '')
      return `--env=${key}=${filled}`
    })
    // Settings that a privileged daemon makes by itself: limits of this machine, and health checks by a timer of systemd.
    const machine = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024', '--no-healthcheck', '--network=host']
    const hosts = ['postgres', 'node'].map((host) => `--add-host=${host}:127.0.0.1`)
    const confined = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--tmpfs=/tmp']
    const config = `--volume=${join(root, 'ops/compose/config.json')}:/etc/astrolabe/config.json:ro`
    // Services share one address here, so their ports for health must differ.
    const health = `--env=OBSERVABILITY_PORT=${{ index: 9879, serve: 9880 }[name] ?? 0}`
    return [
      ...podman,
      'run',
      '--rm',
      '--name',
      name,
      ...machine,
      ...hosts,
      ...confined,
      config,
      ...env,
      health,
      IMAGE,
      ...command,
    ]
  }

  async function until(what, isTrue) {
    for (let waited = 0; ; waited += 500) {
      const value = await isTrue()
      if (value) return value
      if (waited > PATIENCE_MS) throw new Error(`${what}: not seen within ${PATIENCE_MS / 1000} s`)
      await sleep(500)
    }
  }

  const running = new Map()

  function startService(name) {
    const child = spawn('nsenter', [IN_NAMESPACE, 'podman', ...argumentsOf(name)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    running.set(name, new Promise((resolve) => child.once('exit', resolve)))
  }

  async function stopService(name) {
    run('podman', [...podman, 'stop', '--time', '20', name])
    const code = await running.get(name)
    running.delete(name)
    if (code !== 0) throw new Error(`${name} ended with ${code} after SIGTERM`)
  }

  const migrate = () => inside('podman', argumentsOf('migrate'))
  const get = (path) =>
    spawnSync('nsenter', [IN_NAMESPACE, 'curl', '-sf', `http://127.0.0.1:${path}`], { encoding: 'utf8' }).stdout
  const headOf = () => Number(JSON.parse(get('9876/v1/head') || '{}').last_height ?? 0)
  const reaches = (height) => until(`height ${height}`, () => headOf() >= height)

  buildImage()
  run('ip', ['netns', 'add', NAMESPACE])
  afterwards(() => run('ip', ['netns', 'del', NAMESPACE]))
  run('ip', ['-n', NAMESPACE, 'link', 'set', 'lo', 'up'])
  startPostgres()
  migrate()
  afterwards(async () => {
    for (const name of running.keys()) spawnSync('podman', [...podman, 'kill', name])
    await Promise.all(running.values())
  })
  for (const name of ['node', 'index', 'serve']) startService(name)
  await reaches(301)
  if (!/<title>/.test(get('9876/'))) throw new Error('no page')
  const [{ Healthcheck: health }] = JSON.parse(run('podman', [...podman, 'inspect', '--type', 'image', IMAGE]))
  const [, ...healthCheck] = health.Test
  // A container without its own network gives none to what is run in it.
  const execute = (name, ...command) => inside('podman', [...podman, 'exec', name, ...command])
  for (const name of ['index', 'serve']) execute(name, ...healthCheck)
  const write = "try { fs.writeFileSync('/app/x', ''); process.exit(1) } catch ({ code }) { console.log(process.getuid(), code) }"
  console.log(
    `indexed to ${headOf()}, page served, healthy; a write to the root file system: ${execute('serve', 'node', '-e', write).trim()}`,
  )

  await stopService('index')
  const dump = inside('pg_dump', ['-h', '127.0.0.1', '-U', 'postgres', '--format=custom', 'astrolabe'], { encoding: 'buffer' })
  const kept = headOf()
  migrate()
  startService('index')
  await reaches(kept + 2)
  console.log(`stopped at ${kept}, migrated, continued to ${headOf()}`)

  for (const name of ['index', 'serve']) await stopService(name)
  inside('pg_restore', ['-h', '127.0.0.1', '-U', 'postgres', '--clean', '--if-exists', '--dbname=astrolabe'], {
    input: dump,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  startService('serve')
  const restored = await until('the restored index', headOf)
  if (restored !== kept) throw new Error(`restored at ${restored}, the backup was of ${kept}`)
  startService('index')
  await reaches(kept + 2)
  console.log(`restored the backup of ${kept}, continued to ${headOf()}`)
  for (const name of [...running.keys()]) await stopService(name)
  check('stopped, upgraded, backed up and restored', true)
}
