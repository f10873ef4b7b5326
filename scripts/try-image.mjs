// Builds the image of Dockerfile without a daemon and runs it as compose.yaml does: read-only root, no capabilities, not root.
// The base image is NODE_IMAGE; without it, one is made of Debian's packages and the npm package `node`.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, skip } from './running-demo.mjs'
import { root } from './stamp.mjs'

const NODE_MAJOR = 24
const PATIENCE_MS = 60_000
const IMAGE = 'localhost/astrolabe-try'
const BASE = 'localhost/astrolabe-try-base'
const isInstalled = (program) => spawnSync('which', [program]).status === 0

if (process.platform !== 'linux' || process.getuid() !== 0) skip('an image is built here by root on Linux')
for (const program of ['buildah', 'podman'])
  if (!isInstalled(program)) skip(`${program} is not installed (Debian package ${program})`)
if (!process.env.NODE_IMAGE && !isInstalled('debootstrap')) skip('NODE_IMAGE is not set and debootstrap is not installed')

const folder = makeFolder('image')
const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
const run = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options })
const buildah = (...args) => run('buildah', [...storage, ...args]).trim()

/** A minimal Debian with Node and npm. Certificates of this machine go along: a registry may be behind a proxy of its own. */
function makeBase() {
  const tree = join(folder, 'base')
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', tree], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
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
  buildah('commit', '--quiet', container, BASE)
  buildah('rm', container)
  rmSync(tree, { recursive: true })
  return BASE
}

function buildImage(base) {
  const commit = run('git', ['rev-parse', '--short', 'HEAD']).trim()
  run('buildah', [
    ...storage,
    'build',
    '--isolation',
    'chroot',
    '--network',
    'host',
    '--pull-never',
    '--format',
    'docker',
    '--build-arg',
    `NODE_IMAGE=${base}`,
    '--build-arg',
    `COMMIT=${commit}`,
    '--tag',
    IMAGE,
    '.',
  ])
  return commit
}

/** Options of every service in compose.yaml. */
const CONFINED = [
  '--read-only',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--tmpfs=/tmp',
  '--network=host',
  '--cgroups=disabled',
]
const podman = (...args) => [...storage, 'run', '--rm', ...CONFINED, ...args]

/** Runs a service until `pattern` is printed. */
async function startService(name, args, pattern) {
  const child = spawn('podman', podman('--name', name, ...args), { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  for (let waited = 0; !pattern.test(text); waited += 100) {
    if (child.exitCode !== null || waited > PATIENCE_MS) throw new Error(`${name} did not start:\n${text}`)
    await sleep(100)
  }
  return { match: pattern.exec(text), text: () => text, ended }
}

const started = []
try {
  const commit = buildImage(process.env.NODE_IMAGE ?? makeBase())
  const [{ Size: size, Config: config }] = JSON.parse(run('podman', [...storage, 'inspect', '--type', 'image', IMAGE])).map(
    (image) => image,
  )
  console.log(`image of ${commit}: ${(size / 1e6).toFixed(0)} MB with its base, user ${config.User}`)
  console.log(`astrolabe --version: ${run('podman', podman(IMAGE, '--version')).trim()}`)
  const start = async (...args) => {
    const service = await startService(...args)
    started.push({ name: args[0], ...service })
    return service
  }

  const { startEmbedded } = await import(join(root, 'build/src/store/embedded.js'))
  void startEmbedded
} finally {
  for (const { name } of started) spawnSync('podman', [...storage, 'stop', '--time', '20', name])
  rmSync(folder, { recursive: true, force: true })
}
