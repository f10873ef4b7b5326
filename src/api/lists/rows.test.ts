import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Type } from 'typebox'
import { readCsv } from '../../../test/support/csv.ts'
import type { RouteGroup } from '../route.ts'
import { LongList } from '../route.ts'
import { allRoutes } from '../routes/all.ts'
import { openTestApi, type TestApi } from '../testing.ts'

const CSV = { accept: 'text/csv' }
const NDJSON = { accept: 'application/x-ndjson' }

/** Pages that were made of the list that never ends. */
let pages = 0
let onPage: (page: number) => void = () => {}
const PAGE = { limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }), offset: Type.Integer({ minimum: 0, default: 0 }) }
const Row = Type.Object({
  id: Type.Integer(),
  text: Type.Optional(Type.String()),
  at: Type.Optional(Type.Object({ x: Type.Unknown() })),
})

const longRoutes: RouteGroup = (app) => {
  const schema = (operationId: string) => ({
    operationId,
    summary: '',
    tags: [],
    querystring: Type.Object(PAGE),
    response: { 200: Type.Array(Row) },
  })
  app.get('/endless', { schema: schema('endless') }, ({ query: { limit, offset } }) => {
    onPage(++pages)
    const ids = Array.from({ length: limit }, (_, i) => ({ id: offset + i }))
    return LongList.of(ids, async ({ id }) => ({ id, text: 'x'.repeat(20_000) }))
  })
  app.get('/odd', { schema: schema('odd') }, () => [
    { id: 1, text: '=HYPERLINK("http://x","y")', at: { x: [1, { y: '<' }] } },
    { id: 2, text: 'a,"b"\nc', at: { x: -5 } },
    { id: 3, text: '' },
  ])
}

describe('lists as rows of text', () => {
  let api: TestApi
  let port: number
  before(async () => {
    api = await openTestApi({ groups: [...allRoutes, longRoutes] })
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    port = (api.app.server.address() as AddressInfo).port
  })
  after(() => api.close())
  const open = (path: string, accept: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      get({ port, path, headers: accept, agent: false }, resolve).on('error', reject),
    )
  const readRows = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  test('every list gives the same rows in every form', async () => {
    const paths = [
      '/v1/block?limit=3&stats=true',
      '/v1/tx?limit=20&messages=true&sort=desc',
      '/v1/block/390/messages',
      '/v1/block/390/events?limit=7',
      '/v1/blob?limit=5',
      '/v1/namespace?limit=100',
      '/v1/address?limit=100',
      '/v1/validators',
      '/v1/proposal',
      '/v1/rollup',
      '/v1/stats/series/tps/hour',
      '/v1/search?query=forma',
    ]
    for (const path of paths) {
      const json = await api.get(path)
      const rows = json.json() as Record<string, unknown>[]
      assert.ok(rows.length > 0, path)
      const lines = await api.get(path, NDJSON)
      assert.equal(lines.headers['content-type'], 'application/x-ndjson')
      assert.deepEqual(readRows(lines.text), rows, path)
      assert.equal(lines.headers.link, json.headers.link, path)
      const table = await api.get(path, CSV)
      assert.equal(table.headers['content-type'], 'text/csv; charset=utf-8')
      assert.equal(table.headers.vary, 'Accept, Accept-Encoding')
      const [names, ...cells] = readCsv(table.text)
      assert.equal(cells.length, rows.length, path)
      for (const [i, row] of rows.entries()) {
        const shown = names!.map((name, column) => [name, cells[i]![column]])
        for (const [name, cell] of shown) assert.equal(cell, cellAt(row, name!), `${path} row ${i} ${name}`)
      }
    }
  })

  test('a long list is sent whole, by cursor or by offset, as pages of JSON would give it', async () => {
    const byPage = async (path: string) => {
      const ids: unknown[] = []
      for (let next: string | undefined = `${path}&limit=100`; next !== undefined; ) {
        const { json, headers } = await api.get(next)
        ids.push(...(json() as { id?: number; hash?: string }[]).map(({ id, hash }) => id ?? hash))
        next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
      }
      return ids
    }
    for (const path of ['/v1/tx?sort=desc&msg_type=MsgSend', '/v1/blob?sort_by=size', '/v1/block?sort=asc']) {
      const { text, status } = await api.get(`${path}&limit=1000000`, NDJSON)
      assert.equal(status, 200)
      const ids = readRows(text).map(({ id, hash }) => id ?? hash)
      assert.ok(ids.length > 200, path)
      assert.deepEqual(ids, await byPage(path), path)
    }
  })

  test('what follows the rows that were asked for is linked behind them', async () => {
    const answer = await open('/v1/tx?limit=250', CSV)
    assert.equal(answer.headers.trailer, 'Link')
    assert.equal(answer.headers['cache-control'], 'no-store')
    const [, ...rows] = readCsv(await readText(answer))
    assert.equal(rows.length, 250)
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.trailers.link!)!
    assert.equal(next, `/v1/tx?limit=250&cursor=${rows.at(-1)![0]}`)
    const rest = await open(next!.replace('limit=250', 'limit=1000000'), CSV)
    assert.equal(rows.length + readCsv(await readText(rest)).length - 1, api.watch.head!.total_tx)
    assert.equal(rest.trailers.link, undefined)
  })

  test('limits, statuses and kept answers of JSON stay what they are', async () => {
    assert.equal((await api.get('/v1/tx?limit=101')).status, 400)
    assert.equal((await api.get('/v1/tx?limit=-1', CSV)).status, 400)
    assert.equal((await api.get('/v1/tx/count', CSV)).headers['content-type'], 'application/json')
    assert.equal((await api.get(`/v1/tx/${'00'.repeat(32)}/messages`, CSV)).status, 204)
    assert.equal((await api.get('/v1/block/390/blobs?sort_by=colour', CSV)).headers['content-type'], 'application/json')
    for (const headers of [{}, CSV, NDJSON, {}, CSV, NDJSON]) {
      const { text, headers: given } = await api.get('/v1/block?limit=2', headers)
      assert.ok(text.startsWith(headers === CSV ? 'id,height,' : headers === NDJSON ? '{' : '['), text.slice(0, 20))
      const again = await api.get('/v1/block?limit=2', { ...headers, 'if-none-match': given.etag! })
      assert.equal(again.status, 304)
    }
    assert.equal((await api.get('/v1/endless?limit=0', NDJSON)).text.split('\n').length, 11)
    const head = await api.send({ method: 'HEAD', url: '/v1/tx?limit=1000000', headers: CSV })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  test('texts of strangers are no formulas, free forms are JSON, and nothing breaks a line', async () => {
    assert.deepEqual(readCsv((await api.get('/v1/odd', CSV)).text), [
      ['id', 'text', 'at.x'],
      ['1', `'=HYPERLINK("http://x","y")`, '[1,{"y":"\\u003c"}]'],
      ['2', 'a,"b"\nc', '-5'],
      ['3', '', ''],
    ])
  })

  test('a client that does not read holds a few pages, and none once it has gone', async () => {
    pages = 0
    const answer = await open('/v1/endless?limit=1000000000', NDJSON)
    answer.pause()
    // The buffers of both sockets are not ours to limit; they stop growing.
    let before = -1
    for (let quiet = 0; quiet < 5; quiet = pages === before ? quiet + 1 : 0) {
      before = pages
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.ok(pages > 1 && pages < 30, `${pages} pages`)
    answer.destroy()
    const gone = pages
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.ok(pages <= gone + 1, `${pages} pages, ${gone} when it went`)
  })

  test('a page that fails breaks the answer off: half of a list never looks whole', async () => {
    pages = 0
    onPage = (page) => {
      if (page === 4) throw new Error('broken')
    }
    const answer = await open('/v1/endless?limit=100000', CSV)
    await assert.rejects(readText(answer), /aborted/)
    onPage = () => {}
    assert.equal(answer.trailers.link, undefined)
  })
})

async function readText(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return text
}

/** The cell that a row of JSON should have under a name such as `tx.hash` or, of the elements of a list, `signers.hash`. */
function cellAt(row: unknown, name: string): string {
  let value = row
  for (const [i, part] of name.split('.').entries()) {
    if (Array.isArray(value)) return value.map((element) => cellAt(element, name.split('.').slice(i).join('.'))).join(';')
    value = (value as Record<string, unknown> | undefined)?.[part]
  }
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object')) return value.join(';')
  if (typeof value === 'object')
    return JSON.stringify(value).replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`)
  return String(value)
}
