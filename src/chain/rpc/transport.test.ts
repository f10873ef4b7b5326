import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Transient } from '../../lib/errors.ts'
import { createHttpTransport, type HttpExchange } from './transport.ts'

const servers: Server[] = []
const patient = createHttpTransport({ headersTimeoutMs: 30_000, idleTimeoutMs: 30_000, totalTimeoutMs: 30_000 })
/** For answers that never come. */
const impatient = createHttpTransport({ headersTimeoutMs: 100, idleTimeoutMs: 100, totalTimeoutMs: 300 })
/** Long enough for any answer of this process, short enough to be waited for. */
const LIMIT_MS = 1000
const strict = createHttpTransport({ headersTimeoutMs: LIMIT_MS, idleTimeoutMs: LIMIT_MS, totalTimeoutMs: LIMIT_MS })

after(() => {
  for (const transport of [patient, impatient, strict]) transport.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

function send(url: URL, more: Partial<HttpExchange> = {}, transport = patient) {
  return transport.send({ url, body: '{}', maxBytes: 1000, signal: new AbortController().signal, ...more })
}

const failsWith = (code: string) => (error: unknown) => error instanceof Transient && error.code === code

test('an answer comes with its status, in memory of its own', async () => {
  const url = await serve((_, response) => response.writeHead(418, { 'retry-after': '7' }).end('short'))
  const { status, body, retryAfterMs } = await send(url)
  assert.deepEqual([status, body.toString(), retryAfterMs], [418, 'short', 7000])
  assert.equal(body.buffer.byteLength, 5)
})

test('the body that is sent arrives', async () => {
  const url = await serve(async (request, response) => {
    for await (const part of request) response.write(part)
    response.end()
  })
  assert.equal((await send(url, { body: '["é"]' })).body.toString(), '["é"]')
})

test('a packed answer is unpacked, and its cap counts unpacked bytes', async () => {
  const url = await serve((request, response) => {
    assert.equal(request.headers['accept-encoding'], 'gzip')
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync('x'.repeat(900)))
  })
  assert.equal((await send(url)).body.length, 900)
  await assert.rejects(send(url, { maxBytes: 899 }), failsWith('answer_too_large'))
})

test('an answer that cannot be unpacked is a failure', async () => {
  const url = await serve((request, response) => {
    response.setHeader('content-encoding', request.url === '/br' ? 'br' : 'gzip')
    response.end('plain')
  })
  await assert.rejects(send(url), failsWith('bad_encoding'))
  await assert.rejects(send(new URL('/br', url)), failsWith('bad_encoding'))
})

test('a server that never answers is given up', async () => {
  await assert.rejects(send(await serve(() => {}), {}, impatient), failsWith('node_timeout'))
})

test('a body that stops in the middle is given up', async () => {
  const url = await serve((_, response) => response.write('half'))
  await assert.rejects(send(url, {}, impatient), failsWith('node_timeout'))
})

test('a body that drips is given up in the end', async () => {
  const url = await serve((_, response) => {
    const timer = setInterval(() => response.write('.'), 30)
    response.on('close', () => clearInterval(timer))
  })
  await assert.rejects(send(url, {}, impatient), failsWith('node_timeout'))
})

test('a body that is cut off is a failure', async () => {
  const url = await serve((_, response) => {
    response.setHeader('content-length', '100')
    response.write('half')
    setImmediate(() => response.destroy())
  })
  await assert.rejects(send(url), failsWith('node_reset'))
})

test('a port where nobody listens is a failure', async () => {
  const url = await serve(() => {})
  servers.at(-1)!.close()
  await assert.rejects(send(url), failsWith('node_unreachable'))
})

test('the caller can hold the body back for longer than any timeout', async () => {
  const url = await serve((_, response) => response.end('whole'))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  setTimeout(release, LIMIT_MS * 1.5)
  const { body } = await send(url, { onBytes: () => held }, strict)
  assert.equal(body.toString(), 'whole')
})

test('an abort ends the exchange with its reason', async () => {
  const controller = new AbortController()
  const url = await serve(() => controller.abort(new Error('enough')))
  await assert.rejects(send(url, { signal: controller.signal }), /enough/)
  await assert.rejects(send(url, { signal: controller.signal }), /enough/)
})

test('a kept connection that the server closes meanwhile is replaced without a word', async () => {
  let asked = 0
  const url = await serve((request, response) => {
    asked++
    // The second request on the same connection finds it closed, as after the server's idle time.
    if (asked === 2) request.socket.destroy()
    else response.end('fine')
  })
  assert.equal((await send(url)).body.toString(), 'fine')
  assert.equal((await send(url)).body.toString(), 'fine')
  assert.equal(asked, 3)
})
