import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { type PageNetwork, registerPage } from './page.ts'

const folder = mkdtempSync(join(tmpdir(), 'astrolabe-page-'))
after(() => rmSync(folder, { recursive: true }))
const script = `export const text = '${'long '.repeat(200)}'\n`
mkdirSync(join(folder, 'assets'))
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><head><title>page</title><meta property="og:image" content="/preview.png"></head>',
)
writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
writeFileSync(join(folder, 'assets', 'index-abc.js'), script)
writeFileSync(join(folder, '.built'), '')

const networks: PageNetwork[] = []
const app = fastify()
registerPage(app, { network: 'main', networks: () => networks, newestHeight: () => 400, folder })

test('the page is asked for again each time, and not sent again when it is the same', async () => {
  const first = await app.inject('/')
  assert.equal(first.statusCode, 200)
  assert.equal(first.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(first.headers['cache-control'], 'no-cache')
  const again = await app.inject({ url: '/', headers: { 'if-none-match': String(first.headers.etag) } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
})

test('files with a digest in their name are kept forever', async () => {
  const { headers } = await app.inject('/assets/index-abc.js')
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
  assert.match(String(headers['cache-control']), /immutable/)
})

test('nothing may be loaded from other addresses', async () => {
  const policy = String((await app.inject('/')).headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  for (const part of policy.split('; ')) assert.match(part, /^[a-z-]+ ('self'|'none')( data:)?$/)
})

test('only purchases of plans go to another address', async () => {
  const selling = fastify()
  registerPage(selling, {
    network: 'main',
    networks: () => [],
    newestHeight: () => undefined,
    folder,
    shop: () => 'https://paid.example.org/x',
  })
  const policy = String((await selling.inject('/')).headers['content-security-policy'])
  assert.match(policy, /; connect-src 'self' https:\/\/paid\.example\.org; /)
  await selling.close()
})

test('the smallest form that the client takes is sent', async () => {
  const ask = (accepted: string) => app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': accepted } })
  const [brotli, gzipped, plain] = [await ask('gzip, br'), await ask('gzip'), await ask('identity')]
  assert.deepEqual(
    [brotli, gzipped, plain].map(({ headers }) => headers['content-encoding']),
    ['br', 'gzip', undefined],
  )
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), script)
  assert.equal(gunzipSync(gzipped.rawPayload).toString(), script)
  assert.equal(plain.body, script)
})

test('the document holds the networks as they are at the request, and text that cannot end the element', async () => {
  const readSite = async () =>
    JSON.parse(/<script type="application\/json" id="site">([^<]*)<\/script>/.exec((await app.inject('/')).body)![1]!)
  assert.deepEqual(await readSite(), { current: 'main', networks: [] })
  networks.push({ name: '</script>', kind: 'main', url: 'http://127.0.0.1:9876/', demo: true })
  assert.deepEqual((await readSite()).networks, networks)
  networks.length = 0
})

test('HEAD is answered like GET, other methods are refused', async () => {
  const head = await app.inject({ method: 'HEAD', url: '/' })
  assert.deepEqual([head.statusCode, head.headers['content-type']], [200, 'text/html; charset=utf-8'])
  const post = await app.inject({ method: 'POST', url: '/' })
  assert.equal(post.statusCode, 405)
})

test('every place of the page has its own address, with its name in the document', async () => {
  for (const [path, title] of [
    ['/', 'main · Astrolabe'],
    ['/block/390', 'Block 390 · main · Astrolabe'],
    [
      '/tx/9ef6a0e3990d4358d6e4c7e705fb417f9da32500a1c392ff5582e5879e206abd',
      'Transaction 9ef6a0e3990d…206abd · main · Astrolabe',
    ],
    ['/search?q=a', 'Search · main · Astrolabe'],
    ['/rollup/%3Cscript%3E%22', 'Rollup &lt;script&gt;&quot; · main · Astrolabe'],
  ]) {
    const { statusCode, body, headers } = await app.inject(path!)
    assert.equal(statusCode, 200, path)
    assert.ok(body.includes(`<title>${title}</title>`), `${path}: ${body}`)
    const again = await app.inject({ url: path!, headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.statusCode, 304, path)
  }
  for (const path of ['/v1/block/1', '/nowhere', '/blockade']) assert.equal((await app.inject(path)).statusCode, 404, path)
})

test('a visitor of a place that is not there gets the page, and robots hear that nothing is there', async () => {
  const ask = async (url: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { accept } })
    return [statusCode, String(headers['content-type']).split(';')[0], body.includes('<title>')]
  }
  const absent = [
    '/nosuchplace',
    '/a/b/c',
    '/block/nowhere',
    '/block',
    '/block/401',
    '/block/99999999',
    '/blocks/7',
    '/proposal/x',
  ]
  for (const path of absent) assert.deepEqual(await ask(path), [404, 'text/html', true], path)
  for (const path of ['/block/400', '/block/1?tab=events', '/ibc', '/ibc/channel/channel-0', '/tx/abc', '/forwarding/3'])
    assert.deepEqual(await ask(path), [200, 'text/html', true], path)
  assert.deepEqual(await ask('/nosuchplace', 'application/json'), [404, 'application/json', false])
  assert.deepEqual(await ask('/v1/nosuchplace'), [404, 'application/json', false], 'the API answers in its own words')
  const kept = await app.inject('/block/99999999')
  const again = await app.inject({ url: '/block/99999999', headers: { 'if-none-match': String(kept.headers.etag) } })
  assert.equal(again.statusCode, 404)
})

test('the picture of a preview has the whole address', async () => {
  const { body } = await app.inject({ url: '/blocks', headers: { host: 'explorer.example', 'x-forwarded-proto': 'https' } })
  assert.match(body, /content="https:\/\/explorer\.example\/preview\.png"/)
})

test('files that are no part of the page are not served', async () => {
  for (const path of ['/.built', '/assets/', '/assets/../.built', '/index.html'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
})

test('a page that was not built says what to do', async () => {
  const bare = fastify()
  registerPage(bare, { network: 'main', networks: () => [], newestHeight: () => undefined, folder: join(folder, 'nowhere') })
  const { body } = await bare.inject('/')
  assert.match(body, /npm run build/)
})
