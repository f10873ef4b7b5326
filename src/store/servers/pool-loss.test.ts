import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { devnetUrl } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { systemClock } from '../../lib/clock.ts'
import { type Db, openReader, type Reader } from '../db.ts'

const LOST = { code: 'connection_lost' }
const TLS_REQUEST_BYTES = 8

type Proxy = { url: (query: string) => string; sockets: Set<Socket>; close: () => void }

/** Stands between a pool and the server; `accept` may do something else with a connection than pass it on. */
async function startProxy(accept: (socket: Socket, pass: (socket: Socket) => void) => void): Promise<Proxy> {
  const target = new URL(devnetUrl)
  const sockets = new Set<Socket>()
  const pass = (socket: Socket) => {
    const upstream = connect({ host: '127.0.0.1', port: Number(target.port) })
    socket.pipe(upstream).pipe(socket)
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    accept(socket, pass)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = (query: string) => {
    const own = new URL(devnetUrl)
    own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    return `${own.href}${query}`
  }
  return {
    url,
    sockets,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function withReaderThrough(
  proxy: Proxy,
  { query = '', ...options }: { query?: string; statementTimeoutMs?: number },
  work: (db: Db) => Promise<void>,
): Promise<void> {
  const db = openReader({ url: proxy.url(query), schema: SCHEMA, max: 1, ...options })
  try {
    await work(db)
  } finally {
    await db.end({ timeout: 1 })
    proxy.close()
  }
}

const one = async (sql: Reader) => (await sql<{ n: number }[]>`select 1 as n`)[0]!.n

test('a statement that is sent when a reset connection has not ended yet fails, and the pool reconnects', async () => {
  const proxy = await startProxy((socket, pass) => pass(socket))
  await withReaderThrough(proxy, {}, async (db) => {
    assert.equal(await one(db), 1)
    const next = db`select pg_sleep(5)`.then(
      () => assert.fail('the connection was not reset'),
      () => db`select 2`,
    )
    for (const socket of proxy.sockets) setTimeout(() => socket.resetAndDestroy(), 50)
    await next.catch((error) => assert.equal(error.code, LOST.code))
    assert.equal(await one(db), 1)
  })
})

test('a server that closes every connection without a word is told to the statement that waits', async () => {
  let count = 0
  const proxy = await startProxy((socket) => {
    count++
    socket.end()
  })
  await withReaderThrough(proxy, {}, async (db) => {
    await assert.rejects(one(db), LOST)
    assert.ok(count <= 2, `${count} attempts for one statement`)
  })
})

test('a connection that drops all packets is given up when the server should have answered long ago', async () => {
  const proxy = await startProxy((socket, pass) => pass(socket))
  await withReaderThrough(proxy, { statementTimeoutMs: 100 }, async (db) => {
    assert.equal(await one(db), 1)
    for (const socket of proxy.sockets) socket.pause().unpipe()
    await assert.rejects(one(db), LOST)
    assert.equal(await one(db), 1)
  })
})

test('a pool that is ended while it connects, for the first time or again, leaves no connection behind', async () => {
  const proxy = await startProxy((socket, pass) => pass(socket))
  const open = () => openReader({ url: proxy.url(''), schema: SCHEMA, max: 1 })
  const uses = [(db: Db) => one(db), (db: Db) => db.listen('nothing', () => {})]
  try {
    for (const use of uses) {
      for (const afterMs of [undefined, 0, 1, 2, 4]) {
        const db = open()
        const used = use(db).catch(() => {})
        if (afterMs !== undefined) await systemClock.sleep(afterMs)
        await db.end({ timeout: 0 })
        await used
      }
      const lost = open()
      await use(lost)
      for (const socket of proxy.sockets) socket.resetAndDestroy()
      await systemClock.sleep(100)
      const again = use(lost).catch(() => {})
      await lost.end({ timeout: 0 })
      await again
    }
    assert.ok(proxy.sockets.size > 0)
    const countOpen = () => [...proxy.sockets].filter((socket) => !socket.destroyed).length
    // Longer than the pause before a connection is opened again, and shorter than the time limit for opening one.
    await systemClock.sleep(1000)
    for (let tries = 30; tries > 0 && countOpen() > 0; tries--) await systemClock.sleep(100)
    assert.equal(countOpen(), 0)
  } finally {
    proxy.close()
  }
})

test('a server without TLS is refused or taken, as the address says', async () => {
  const proxy = await startProxy((socket, pass) => pass(socket))
  await withReaderThrough(proxy, { query: '?sslmode=prefer' }, async (db) => assert.equal(await one(db), 1))
  const strict = await startProxy((socket, pass) => pass(socket))
  await withReaderThrough(strict, { query: '?sslmode=require' }, (db) => assert.rejects(one(db), /server does not support SSL/))
})

test('a server with TLS is spoken to in TLS, and proves who it is when the address asks for it', async (context) => {
  const made = makeCertificate()
  if (!made) return context.skip('openssl is not installed')
  const secured = () =>
    startProxy((socket, pass) => {
      socket.once('data', (request) => {
        assert.equal(request.length, TLS_REQUEST_BYTES)
        socket.write('S')
        const tls = new TLSSocket(socket, { isServer: true, ...made })
        tls.on('error', () => {})
        pass(tls)
      })
    })
  await withReaderThrough(await secured(), { query: '?sslmode=require' }, async (db) => assert.equal(await one(db), 1))
  await withReaderThrough(await secured(), { query: '?sslmode=verify-full' }, (db) =>
    assert.rejects(one(db), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
  )
})

function makeCertificate(): { key: Buffer; cert: Buffer } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ]
  try {
    execFileSync('openssl', args, { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
