import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { Unavailable } from './http/errors.ts'
import { type RouteGroup, Streamed } from './route.ts'
import { allRoutes } from './routes/all.ts'
import { openTestApi, type TestAnswer, type TestApi } from './testing.ts'

const schema = (operationId: string) => ({ operationId, summary: operationId, tags: ['test'], response: { 200: Type.Unknown() } })

/** Routes that fail in every way a handler can. */
const failingRoutes: RouteGroup = (app) => {
  const fail = (path: string, error: () => unknown) =>
    app.get(path, { schema: schema(path.slice(1)) }, () => {
      throw error()
    })
  fail('/bug', () => new Error('secret: password=hunter2'))
  fail('/busy', () => new Unavailable('overloaded', 'too much'))
  fail('/cancelled', () => Object.assign(new Error('canceling statement'), { code: '57014' }))
  fail('/gone', () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
  app.get('/never', { schema: schema('never') }, () => new Promise(() => {}))
  app.get('/wrong', { schema: { ...schema('wrong'), response: { 200: Type.Integer() } } }, () => 'text' as never)
  async function* lines() {
    yield 'a\n'
    yield 'b\n'
  }
  app.get('/stream', { schema: schema('stream') }, () => new Streamed('text/plain', lines()))
  async function* manyLines() {
    for (let i = 0; i < 500; i++) yield `line ${i}\n`
  }
  app.get('/long-stream', { schema: schema('long-stream') }, () => new Streamed('text/plain', manyLines()))
  async function* noLines(): AsyncGenerator<string> {
    yield 'a\n'
    throw new Unavailable('overloaded', 'too much')
  }
  app.get('/broken-stream', { schema: schema('broken-stream') }, () => new Streamed('text/plain', noLines()))
}

describe('transport', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({ groups: [...allRoutes, failingRoutes] })
  })
  after(() => api.close())

  test('unknown parameters are told, also beside an answer that is kept; misspelt ones are refused', async () => {
    const told = async (path: string) => {
      const { status, headers } = await api.get(path)
      return [status, headers['x-query-warning']]
    }
    const expected = [200, 'unknown parameters are ignored: time, %C3%A9']
    for (let i = 0; i < 3; i++) assert.deepEqual(await told('/v1/block?time=1&%C3%A9=2&limit=3'), expected)
    assert.deepEqual(await told('/v1/block?limit=3'), [200, undefined])
    const { status, text } = await api.get('/v1/tx?mesg_type=MsgSend')
    assert.equal(status, 400)
    assert.match(text, /unknown parameter mesg_type: did you mean msg_type/)
  })

  function assertCommon(answer: TestAnswer, what: string): void {
    assert.equal(answer.headers['access-control-allow-origin'], '*', what)
    assert.match(
      answer.headers['access-control-expose-headers'] ?? '',
      /RateLimit.*ETag, Link, X-Request-Id, X-Indexed-Height/,
      what,
    )
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', what)
    assert.equal(answer.headers['x-frame-options'], 'SAMEORIGIN', what)
    assert.equal(answer.headers['x-xss-protection'], '1; mode=block', what)
    assert.match(answer.headers.vary ?? '', /^(Accept, )?Accept-Encoding$/, what)
    assert.match(answer.headers['x-request-id'] ?? '', /^[\w-]+$/, what)
    assert.equal(answer.headers.server ?? answer.headers['x-powered-by'], undefined, what)
  }

  test('every status carries the common headers', async () => {
    const answers: [number, TestAnswer][] = [
      [200, await api.get('/v1/head')],
      [204, await api.get('/v1/block/99999')],
      [400, await api.get('/v1/block/abc')],
      [400, await api.get('/v1/block/%zz')],
      [404, await api.get('/v1/nothing')],
      [404, await api.get('/v1')],
      [404, await api.get('/favicon.ico')],
      [405, await api.send({ method: 'DELETE', url: '/v1/head' })],
      [204, await api.send({ method: 'OPTIONS', url: '/v1/head' })],
      [
        413,
        await api.send({
          method: 'POST',
          url: '/v1/blob',
          payload: 'x'.repeat(70_000),
          headers: { 'content-type': 'application/json' },
        }),
      ],
      [414, await api.get(`/v1/search?query=${'x'.repeat(8200)}`)],
      [431, await api.get('/v1/head', { 'x-long': 'x'.repeat(16_400) })],
      [500, await api.get('/v1/bug')],
      [503, await api.get('/v1/busy')],
    ]
    for (const [status, answer] of answers) {
      assert.equal(answer.status, status, answer.text)
      assertCommon(answer, String(status))
      if (status >= 400) {
        const body: Record<string, string> = answer.json()
        assert.equal(answer.headers['content-type'], 'application/json')
        assert.equal(body.request_id, answer.headers['x-request-id'])
        assert.match(body.code!, /^[a-z_]+$/)
        assert.ok(body.message)
      } else if (status === 204) assert.equal(answer.text, '')
    }
  })

  test('our own failures say nothing about us', async () => {
    const { text } = await api.get('/v1/bug')
    assert.doesNotMatch(text, /secret|hunter2|stack|Error:/)
    assert.match(text, /"message":"Internal Server Error"/)
  })

  test('what will pass is 503 with Retry-After', async () => {
    const impatient = await openTestApi({ groups: [failingRoutes], deadlineMs: 200 })
    const codes = { busy: 'overloaded', cancelled: 'query_timeout', gone: 'database_unavailable', never: 'query_timeout' }
    for (const [path, code] of Object.entries(codes)) {
      const answer = await (path === 'never' ? impatient : api).get(`/v1/${path}`)
      assert.equal(answer.status, 503, path)
      assert.equal((answer.json() as { code: string }).code, code)
      assert.match(answer.headers['retry-after']!, /^[1-9][0-9]*$/)
    }
    await impatient.close()
  })

  test('an answer that breaks its schema fails the test that asks for it', async () => {
    assert.equal((await api.get('/v1/wrong')).status, 500)
    assert.match(String(api.failures.at(-1)), /breaks its schema/)
  })

  test('HEAD is answered like GET, without a body, also from the cache', async () => {
    const got = await api.get('/v1/block/1/stats')
    for (let i = 0; i < 2; i++) {
      const answer = await api.send({ method: 'HEAD', url: '/v1/block/1/stats' })
      assert.deepEqual([answer.status, answer.text], [200, ''])
      for (const name of ['etag', 'content-length', 'content-type', 'x-indexed-height'])
        assert.equal(answer.headers[name], got.headers[name], name)
    }
    assert.equal((await api.send({ method: 'HEAD', url: '/v1/nothing' })).status, 404)
  })

  test('a wrong method is 405 with Allow', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await api.send({ method, url: '/v1/block/1/stats' })
      assert.equal(answer.status, 405, method)
      assert.equal(answer.headers.allow, 'OPTIONS, GET, HEAD')
    }
    for (const method of ['QUERY', 'PROPFIND', 'TRACE'])
      assert.equal((await api.send({ method: method as 'GET', url: '/v1/block/1' })).status, 405, method)
    const put = await api.send({ method: 'PUT', url: '/v1/blob', payload: '<x/>', headers: { 'content-type': 'text/xml' } })
    assert.equal(put.status, 405)
    assert.equal(put.headers.allow, 'OPTIONS, GET, HEAD, POST')
  })

  test('a preflight allows the key and the content type', async () => {
    const answer = await api.send({ method: 'OPTIONS', url: '/v1/blob', headers: { origin: 'https://explorer.example' } })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.allow, 'OPTIONS, GET, HEAD, POST')
    assert.match(answer.headers['access-control-allow-headers']!, /apikey, content-type/)
    assert.equal(answer.headers['access-control-allow-methods'], 'OPTIONS, GET, HEAD, POST')
  })

  test('a browser may send the headers that requests are read for', async () => {
    const answer = await api.send({ method: 'OPTIONS', url: '/v1/head' })
    const allowed = new Set((answer.headers['access-control-allow-headers'] ?? '').split(', '))
    for (const name of ['apikey', 'authorization', 'if-none-match', 'x-request-id', 'traceparent', 'tracestate'])
      assert.ok(allowed.has(name), name)
  })

  test('slashes in a row count as one, in links too', async () => {
    const plain = await api.get('/v1/tx?limit=2')
    for (const path of ['//v1/tx', '/v1//tx', '//v1///tx']) {
      const answer = await api.get(`${path}?limit=2`)
      assert.deepEqual([answer.status, answer.text], [200, plain.text], path)
      assert.match(answer.headers.link ?? '', /^<\/v1\/tx\?/, path)
    }
    const asked = await api.get('/v1//search?query=a//b')
    assert.deepEqual([asked.status, asked.text], [200, (await api.get('/v1/search?query=a//b')).text])
    assert.equal((await api.get('//v1/nothing')).status, 404)
  })

  test('one trailing slash is dropped', async () => {
    const [plain, slashed] = [await api.get('/v1/block/count'), await api.get('/v1/block/count/')]
    assert.equal(slashed.status, 200)
    assert.equal(slashed.text, plain.text)
    assert.equal((await api.get('/v1/block/count//')).status, 404)
  })

  test('any `pretty` indents, errors too', async () => {
    for (const path of ['/v1/head?pretty', '/v1/head?PRETTY=false', '/v1/block/abc?pretty']) {
      const { text } = await api.get(path)
      assert.match(text, /^\{\n {2}"/, path)
      assert.ok(text.endsWith('\n'))
    }
    for (const path of ['/v1/head', '/v1/head?prettyx', '/v1/block/abc?prettyx=1&x=?pretty'])
      assert.doesNotMatch((await api.get(path)).text, /\n./, path)
  })

  test('answers of 1024 bytes and more are gzipped for those who take it', async () => {
    const ask = (path: string, encoding: string) => api.app.inject({ url: path, headers: { 'accept-encoding': encoding } })
    const plain = await ask('/v1/block?stats=true', 'identity')
    const packed = await ask('/v1/block?stats=true', 'br, gzip;q=0.8')
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal((await ask('/v1/block?stats=true', 'gzip;q=0')).headers['content-encoding'], undefined)
    assert.equal((await ask('/v1/block/count', 'gzip')).headers['content-encoding'], undefined)
    assert.equal((await ask('/v1/swagger/doc.json', 'gzip')).headers['content-encoding'], undefined)
  })

  test('so are streams, and one that fails at once is an error', async () => {
    const ask = (path: string, encoding: string) => api.app.inject({ url: path, headers: { 'accept-encoding': encoding } })
    const plain = await ask('/v1/long-stream', 'identity')
    assert.match(plain.payload, /^line 0\n(line \d+\n){498}line 499\n$/)
    assert.deepEqual([plain.headers['content-type'], plain.headers['content-encoding']], ['text/plain', undefined])
    const packed = await ask('/v1/long-stream', 'gzip')
    assert.deepEqual([packed.headers['content-type'], packed.headers['content-encoding']], ['text/plain', 'gzip'])
    assert.deepEqual(gunzipSync(packed.rawPayload), plain.rawPayload)
    const short = await ask('/v1/stream', 'gzip')
    assert.deepEqual(
      [short.payload, short.headers['content-type'], short.headers['content-encoding']],
      ['a\nb\n', 'text/plain', undefined],
    )
    assert.equal((await ask('/v1/broken-stream', 'gzip')).statusCode, 503)
  })

  test('a request id is made, or kept when it is harmless', async () => {
    assert.equal((await api.get('/v1/head', { 'x-request-id': 'my-id.7' })).headers['x-request-id'], 'my-id.7')
    const made = (await api.get('/v1/head', { 'x-request-id': 'a b<script>' })).headers['x-request-id']
    assert.match(made!, /^[\w-]+$/)
    assert.notEqual((await api.get('/v1/head')).headers['x-request-id'], made)
  })

  test('bodies must be JSON, plain or gzipped, and small', async () => {
    const send = (payload: string | Buffer, headers: Record<string, string>) =>
      api.send({ method: 'POST', url: '/v1/blob', payload, headers })
    const json = { 'content-type': 'application/json' }
    const refused = async (answer: Promise<TestAnswer>) => (await answer).json() as { code: string; param: string }
    assert.deepEqual((await refused(send('{}', { 'content-type': 'text/plain' }))).param, 'body')
    assert.deepEqual((await refused(send('{', json))).code, 'invalid_body')
    assert.deepEqual((await refused(send('', json))).param, 'body')
    assert.deepEqual((await refused(send('{}', { ...json, 'content-encoding': 'br' }))).code, 'invalid_body')
    assert.deepEqual((await refused(send('{}', { ...json, 'content-encoding': 'gzip' }))).code, 'invalid_body')
    assert.deepEqual((await refused(send(gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }))).param, 'hash')
    assert.equal((await send(gzipSync(Buffer.alloc(10_000_000, 32)), { ...json, 'content-encoding': 'gzip' })).status, 413)
  })

  test('an export is streamed as it is made', async () => {
    const answer = await api.get('/v1/stream')
    assert.equal(answer.text, 'a\nb\n')
    assert.equal(answer.headers['content-type'], 'text/plain')
    assert.equal(answer.headers['cache-control'], 'no-store')
  })

  test('the description is there three times and lists the routes', async () => {
    const doc = (await api.get('/v1/swagger/doc.json')).json() as { openapi: string; paths: Record<string, object> }
    assert.equal(doc.openapi, '3.1.0')
    assert.equal((await api.get('/openapi.json')).text, (await api.get('/v1/openapi.json')).text)
    for (const path of ['/v1/blob', '/v1/block/{height}/ods', '/v1/namespace/{id}/{version}/blobs', '/v1/gas/price/{priority}'])
      assert.ok(doc.paths[path], path)
    assert.deepEqual(Object.keys(doc.paths['/v1/blob']!), ['get', 'post'])
    const { security, components } = doc as unknown as {
      security: object[]
      components: { securitySchemes: Record<string, object>; schemas: Record<string, { properties: Record<string, object> }> }
    }
    assert.match((await api.get('/openapi.json')).text, /"name":"offset"[^}]*"maximum":9223372036854775807/)
    assert.deepEqual(security, [{}, { apikey: [] }, { bearer: [] }])
    assert.deepEqual(Object.keys(components.securitySchemes), ['apikey', 'bearer'])
    assert.deepEqual((components.schemas.Block!.properties.height as { examples: number[] }).examples, [42])
  })

  test('the reference page loads nothing from elsewhere', async () => {
    const page = await api.get('/v1/docs')
    assert.equal(page.headers['content-type'], 'text/html; charset=UTF-8')
    assert.doesNotMatch(page.text, /https?:/)
    const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
    for (const path of named.filter((path) => path.startsWith('/v1/'))) assert.equal((await api.get(path)).status, 200, path)
    // These are of the network's page, which is served beside the API.
    assert.deepEqual(
      named.filter((path) => !path.startsWith('/v1/')),
      ['/favicon.svg', '/', '/'],
    )
  })
})

describe('a listening server', () => {
  let api: TestApi
  let port: number
  before(async () => {
    api = await openTestApi()
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    port = (api.app.server.address() as { port: number }).port
  })
  after(() => api.close())

  /** The first line of the answer to raw bytes. */
  function statusOf(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      socket.setTimeout(5000, () => socket.destroy(new Error('no answer')))
      socket.on('data', (chunk) => (text += chunk))
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })
  }

  test('what is no request is refused with the same headers', async () => {
    const cases: [string, string][] = [
      ['400', 'nonsense\r\n\r\n'],
      ['400', 'GET /v1/head HTTP/1.1\r\nConnection: close\r\n\r\n'],
      ['400', 'GET /v1/head HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
      ['400', 'GET /v1/head HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
      ['414', `GET /v1/search?query=${'x'.repeat(1 << 20)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['431', `GET /v1/head HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`],
    ]
    for (const [status, bytes] of cases) {
      const text = await statusOf(bytes)
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 40))
      assert.match(text, /access-control-allow-origin: \*/)
      assert.match(text, /"code":"[a-z_]+"/)
    }
  })

  test('an expectation that nobody knows is no reason to refuse', async () => {
    const text = await statusOf('GET /v1/block/count HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nConnection: close\r\n\r\n')
    assert.match(text, /^HTTP\/1.1 200 [\s\S]*\n404\n/)
  })

  test('one connection serves many requests', async () => {
    const text = await statusOf(
      'GET /v1/head HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/block/count HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 2)
  })
})

test('a server that closes ends the connections of those it still answers', async () => {
  let [arrive, release] = [() => {}, () => {}]
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const slowRoute: RouteGroup = (app) => {
    app.get('/slow', { schema: schema('slow') }, async () => {
      arrive()
      await released
      return {}
    })
  }
  const api = await openTestApi({ groups: [slowRoute] })
  api.app.addHook('preClose', async () => release())
  const answer = fetch(`${await api.app.listen({ host: '127.0.0.1', port: 0 })}/v1/slow`)
  await arrived
  await api.close()
  const { status, headers } = await answer
  assert.deepEqual([status, headers.get('connection')], [200, 'close'])
})
