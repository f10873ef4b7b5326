import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../src/config/load.ts'
import type { OffchainConfig } from '../../src/config/offchain-schema.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { type OffchainObserver, type OffchainSource, pollOnce, runOffchain } from '../../src/offchain/pollers.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { SCHEMA } from '../support/templates.ts'
import { openGuardedApi, type TestApi } from './guarded-api.ts'

const ADDRESS = 'celestia1eyxcmwhgqxl2y0h9yj8d6z2y9mm902lu3z00d7'
const SILENT: OffchainObserver = { succeeded: () => {}, failed: () => {} }

const candle = (minute: number, price: string) => ({
  time: new Date(Date.parse('2026-11-15T02:00:00Z') + minute * 60_000).toISOString(),
  open: price,
  high: price,
  low: price,
  close: price,
})

function configOf(sources: Record<string, Record<string, unknown>>): OffchainConfig {
  const [main] = loadConfig({ env: {} }).networks
  return loadConfig({ env: {}, overrides: { networks: [{ ...main, offchain: sources }] } }).networks[0]!.offchain
}

describe('off-chain data', () => {
  let url: string
  let sql: SqlPool
  let api: TestApi
  const closing: (() => Promise<unknown>)[] = []
  before(async () => {
    url = await freshDatabase('devnet')
    sql = openPool('offchain', { url, schema: SCHEMA })
    api = await openGuardedApi(url)
  })
  after(async () => {
    for (const close of closing) await close()
    await api.close()
    await sql.end()
  })

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(
      () =>
        new Promise((resolve) => {
          server.closeAllConnections()
          server.close(resolve)
        }),
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const answer = (body: unknown) => serve((_request, response) => response.end(JSON.stringify(body)))
  const poll = async (source: OffchainSource, settings: Record<string, unknown>, now?: () => number) => {
    const failures: string[] = []
    const observer = { ...SILENT, failed: (_: string, error: Error) => failures.push(error.message) }
    const options = { url, schema: SCHEMA, config: configOf({ [source]: settings }), observer, ...(now && { now }) }
    const ok = await pollOnce(source, sql, options, new AbortController().signal)
    return ok ? 'ok' : failures.join()
  }
  const get = async (path: string) => {
    const { statusCode, headers, payload } = await api.app.inject(`/v1${path}`)
    return { status: statusCode, headers, body: payload === '' ? undefined : (JSON.parse(payload) as unknown) }
  }
  const candles = async () => (await sql`select * from price`).length

  test('without a source there is no price, and the answer is empty', async () => {
    const { status, headers } = await get('/stats/price/current')
    assert.equal(status, 204)
    assert.equal(headers['x-price-age'], undefined)
  })

  test('every sample is read, and what is read stays as it is when read again', async () => {
    const [main] = loadConfig({ env: {} }).networks
    const sample = (name: string) => ({ file: packagePath('data/offchain', `${name}.json`) })
    const config = configOf({ ...main!.offchain, relayers: sample('relayers'), hyperlane: sample('hyperlane') })
    const before = await digestOf(url)
    const seen: string[] = []
    for (let round = 0; round < 2; round++)
      for (const source of ['price', 'names', 'rollups', 'relayers', 'hyperlane'] as const)
        assert.ok(
          await pollOnce(
            source,
            sql,
            {
              url,
              schema: SCHEMA,
              config,
              observer: {
                succeeded: (_, { changed }) => seen.push(`${source} ${changed}`),
                failed: (_, error) => assert.fail(`${source}: ${error.message}`),
              },
            },
            new AbortController().signal,
          ),
        )
    assert.deepEqual(seen, [
      'price true',
      'names true',
      'rollups false',
      'relayers true',
      'hyperlane true',
      'price false',
      'names false',
      'rollups false',
      'relayers false',
      'hyperlane false',
    ])
    assert.deepEqual(await digestOf(url), before, 'no table of the chain was touched')
    const { body } = await get(`/address/${ADDRESS}`)
    assert.deepEqual((body as { celestials: { name: string } }).celestials.name, 'forma')
    assert.equal(((await get('/ibc/relayers')).body as unknown[]).length, 2)
    assert.equal(((await get('/hyperlane/domains')).body as Record<string, { name: string }>)['42161']?.name, 'Arbitrum')
  })

  test('hours and days are made of minutes, and the answer says how old the price is', async () => {
    await sql`delete from price`
    assert.equal(
      await poll('price', { url: await answer([candle(1, '4'), candle(0, '5'), candle(59, '4.5'), candle(60, '6')]) }),
      'ok',
    )
    const { body } = await get('/stats/price/series/1h')
    assert.deepEqual(body, [
      { time: '2026-11-15T03:00:00Z', open: '6', high: '6', low: '6', close: '6' },
      { time: '2026-11-15T02:00:00Z', open: '5', high: '5', low: '4', close: '4.5' },
    ])
    const fresh = await openGuardedApi(url)
    closing.push(fresh.close)
    const { headers } = await fresh.app.inject('/v1/stats/price/current')
    const age = (Date.now() - Date.parse('2026-11-15T03:00:00Z')) / 1000
    assert.ok(Math.abs(Number(headers['x-price-age']) - age) < 30, String(headers['x-price-age']))
    assert.equal(headers['last-modified'], 'Sun, 15 Nov 2026 03:00:00 GMT')
  })

  test('a source asks only for what is new', async () => {
    const urls: string[] = []
    const address = await serve((request, response) => {
      urls.push(request.url!)
      response.end('[]')
    })
    assert.equal(await poll('price', { url: `${address}/price/series/1m` }), 'ok')
    assert.deepEqual(urls, [`/price/series/1m?from=${Date.parse('2026-11-15T03:00:00Z') / 1000}`])
  })

  test('a source that is down, slow, too large or lying changes nothing, and the rest continues', async () => {
    const before = await candles()
    const trickle = await serve((_request, response) => {
      response.write('[')
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const failing = await serve((_request, response) => response.writeHead(500).end('oops'))
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ url: 'http://127.0.0.1:1' }, /no connection/],
      [{ url: trickle, timeout_ms: 200 }, /no answer within 200 ms/],
      [{ url: await answer([candle(61, '6'.repeat(2000))]), max_bytes: 1024 }, /larger than 1024/],
      [{ url: failing }, /answered 500/],
      [{ url: await serve((_request, response) => response.end('<html>')) }, /not JSON/],
      [{ url: await answer({ price: 1 }) }, /array of candles/],
      [{ url: await answer([candle(61, '6000')]) }, /factor of 10/],
      [{ url: await answer([candle(61, '-1')]) }, /not a decimal/],
      [{ url: await answer([candle(60 * 24 * 400, '6')]) }, /future/],
      [{ file: '/nowhere/price.json' }, /cannot read/],
    ]
    for (const [settings, reason] of cases) {
      const polling = poll('price', settings, () => Date.parse('2026-11-15T04:00:00Z'))
      assert.equal((await get('/head')).status, 200)
      assert.match(await polling, reason)
    }
    assert.equal(await candles(), before)
    const [state] = await sql`select error, position from astrolabe.offchain_state where source = 'price'`
    assert.match(String(state?.error), /cannot read/)
    assert.equal((await get('/stats/price/current')).status, 200)
  })

  test('names follow the changes page by page, one primary name per address', async () => {
    await sql`delete from celestial`
    await sql`delete from astrolabe.offchain_state where source = 'names'`
    const changes = Array.from({ length: 250 }, (_, i) => ({
      celestial_id: `name-${(i % 5) + 1}`,
      address: ADDRESS,
      image_url: '',
      change_id: i + 1,
      status: i % 2 ? 'PRIMARY' : 'VERIFIED',
    }))
    const asked: number[] = []
    const resolver = await serve((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const { from_change_id: from, limit } = JSON.parse(Buffer.concat(parts).toString()) as Record<string, number>
        asked.push(from!)
        assert.equal(request.url, '/api/resolver/changes')
        response.end(JSON.stringify({ head: 250, changes: changes.filter(({ change_id: id }) => id > from!).slice(0, limit) }))
      })
    })
    assert.equal(await poll('names', { url: resolver }), 'ok')
    assert.equal(await poll('names', { url: resolver }), 'ok')
    assert.deepEqual(asked, [0, 100, 200, 250])
    const rows = await sql`select id, status, change_id from celestial order by id`
    assert.equal(rows.length, 5)
    assert.deepEqual(
      rows.filter(({ status }) => status === 'PRIMARY').map(({ id }) => id as string),
      ['name-5'],
    )
  })

  test('a source of names that never gets to its head is left after a page without progress', async () => {
    let asked = 0
    const endless = await serve((_request, response) => {
      asked++
      response.end(JSON.stringify({ head: 1_000_000, changes: [] }))
    })
    assert.equal(await poll('names', { url: endless }), 'ok')
    assert.equal(asked, 1)
  })

  test('a rollup proposed by a source on the network waits for the operator, texts of known ones follow', async () => {
    const entry = { name: 'Proposed', verified: true, providers: [{ address: ADDRESS }] }
    const list = [{ name: 'Forma Art', website: 'https://forma.example/new', providers: [{ address: ADDRESS }] }, entry]
    assert.equal(await poll('rollups', { url: await answer(list) }), 'ok')
    const [known, proposed] = await sql`select name, website, verified from rollup where id in (1, 4) order by id`
    assert.deepEqual(
      [known?.website, known?.verified, proposed?.name, proposed?.verified],
      ['https://forma.example/new', true, 'Proposed', false],
    )
    const providers = await sql`select count(*)::int as n from rollup_provider where rollup_id = 1`
    assert.equal(providers[0]?.n, 2, 'which blobs belong to it is not for the source to say')
    assert.match(await poll('rollups', { url: await answer([{ name: 'X' }]) }), /without name or providers/)
  })

  test('one source after the other is looked at until the end, and a broken one does not stop it', async () => {
    const seen: string[] = []
    const controller = new AbortController()
    const observer: OffchainObserver = {
      succeeded: (source) => note(`${source} ok`),
      failed: (source) => note(`${source} failed`),
    }
    const note = (what: string) => {
      seen.push(what)
      if (seen.includes('relayers ok') && seen.includes('price failed')) controller.abort()
    }
    const relayers = await answer([{ name: 'R', logo: '', addresses: [ADDRESS] }])
    const config = configOf({
      price: { url: 'http://127.0.0.1:1' },
      relayers: { url: relayers },
      names: { url: relayers, enabled: false },
    })
    await runOffchain({ url, schema: SCHEMA, config, observer }, controller.signal)
    assert.deepEqual(seen.sort(), ['price failed', 'relayers ok'])
  })
})
