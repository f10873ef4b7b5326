import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { flood } from '../../test/support/flood.ts'
import { Transient } from './errors.ts'
import { boundFetch } from './read-bounded.ts'

const BOUND = 100_000

let sent = 0
const answers: Record<string, (response: ServerResponse) => void> = {
  '/small': (response) => response.writeHead(201, { 'content-type': 'text/plain' }).end('small'),
  '/none': (response) => response.writeHead(204).end(),
  '/exact': (response) => response.end(Buffer.alloc(BOUND)),
  '/endless': (response) => floods(response),
  '/failing': (response) => floods(response.writeHead(500)),
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * BOUND))),
}

const floods = (response: ServerResponse) =>
  flood(response, (bytes) => {
    sent += bytes
  })

const server = createServer((request, response) => answers[request.url!]!(response))
let origin: string
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

const ask = (path: string, bound: Parameters<typeof boundFetch>[0] = BOUND, init?: RequestInit) =>
  boundFetch(bound)(origin + path, init)
const isTooLarge = (error: unknown) => error instanceof Transient && error.code === 'answer_too_large'

test('an answer within the bound is given as it is', async () => {
  const small = await ask('/small')
  assert.deepEqual([small.status, small.headers.get('content-type'), await small.text()], [201, 'text/plain', 'small'])
  assert.deepEqual([(await ask('/none')).status, await (await ask('/none')).text()], [204, ''])
  assert.equal((await (await ask('/exact')).arrayBuffer()).byteLength, BOUND)
})

test('a longer one is refused when it is too long, not when it ends, whatever its status is and however it is packed', async () => {
  for (const path of ['/endless', '/failing']) {
    sent = 0
    await assert.rejects(ask(path), isTooLarge)
    // What the two ends of the connection hold on top of the bound.
    assert.ok(sent < BOUND + 8 * 2 ** 20, `${path}: ${sent} bytes`)
  }
  await assert.rejects(ask('/bomb'), isTooLarge)
})

test('the bound may follow from the request', async () => {
  const bound = (init: RequestInit | undefined) => Number(new Headers(init?.headers).get('most'))
  assert.equal((await ask('/exact', bound, { headers: { most: String(BOUND) } })).status, 200)
  await assert.rejects(ask('/exact', bound, { headers: { most: String(BOUND - 1) } }), isTooLarge)
})

test('an abort ends the body too', async () => {
  await assert.rejects(ask('/endless', 2 ** 40, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
})
