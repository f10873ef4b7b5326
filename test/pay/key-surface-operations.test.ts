import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { bindGet } from '../../src/api/http/bind.ts'
import { buildApi } from '../../src/api/server.ts'
import { SOLD_GROUPS } from '../../src/config/paid-schema.ts'
import { createLookup, failedLookup, isAnswer, type LookupResult } from '../../src/operations/lookup.ts'
import { fillPath } from '../../src/operations/operation.ts'
import { type Operations, openOperations } from '../../src/operations/serve-operations.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { CHAIN_ID } from '../builders.ts'
import { devnetUrl } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { sampleOf } from './sold-operations.ts'

/** Operations that are sold as the key surface has them, on the recorded main chain. */

let db: Db
let key: ReturnType<typeof buildApi>
let operations: Operations
let watch: HeadWatch

before(async () => {
  db = openReader({ url: devnetUrl, schema: SCHEMA, max: 4 })
  watch = new HeadWatch(db, { schema: SCHEMA })
  await watch.start()
  const network = { name: 'main', chainId: CHAIN_ID, kind: 'main' } as const
  const blocks = { read: async () => undefined }
  const ctx = { network, db, watch, head: () => watch.head, blocks, now: () => Date.now() }
  key = buildApi(ctx)
  operations = openOperations(ctx, { validateResponses: true, sells: SOLD_GROUPS })
})
after(async () => {
  operations.close()
  await key.close()
  await watch.stop()
  await db.end()
})

const operation = (id: string) => operations.items.find((item) => item.id === id)!

/** Asks like a paid request, behind the payment. */
async function ask(id: string, params: Record<string, string>, query = ''): Promise<LookupResult> {
  const item = operation(id)
  const target = fillPath(item.path, params) + query
  try {
    return await createLookup(operations)(item, bindGet(item, target, params))
  } catch (error) {
    return failedLookup(error, () => {})
  }
}

const keyGet = async <T>(url: string) => (await key.inject({ method: 'GET', url })).json() as T

test('every one of them answers as the key surface does, whatever that is', async () => {
  const derived = operations.items.filter(({ isBrief }) => isBrief)
  const tally = { found: 0, nothing: 0 }
  for (const item of derived) {
    const target = sampleOf(item)
    const names = [...item.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const match = new RegExp(`^${item.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(target.split('?', 1)[0]!)!
    const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1]!)]))
    const sold = await ask(item.id, params, target.includes('?') ? target.slice(target.indexOf('?')) : '')
    const free = await key.inject({ method: 'GET', url: target })
    const expected = free.statusCode === 204 ? 404 : free.statusCode
    assert.equal(sold.status, expected, `${item.id} ${target}: ${JSON.stringify(sold)} ${free.payload}`)
    if (isAnswer(sold) && item.id !== 'exportRollupBlobs') {
      tally.found++
      assert.equal(sold.body.toString(), free.payload, item.id)
    } else tally.nothing++
  }
  assert.ok(tally.found > 80, JSON.stringify(tally))
})

test('a list that is sold by its rows has more of them than a page of the key surface', async () => {
  const [richest] = await keyGet<{ hash: string }[]>('/v1/address?sort_by=delegated&sort=desc&limit=1')
  const sold = await ask('listAddressHistory', { hash: richest!.hash }, '?limit=1000')
  assert.ok(isAnswer(sold))
  const rows = JSON.parse(sold.body.toString()) as { id: number }[]
  const page = await keyGet<{ id: number }[]>(`/v1/address/${richest!.hash}/history?limit=100`)
  assert.deepEqual(
    rows.slice(0, 100).map(({ id }) => id),
    page.map(({ id }) => id),
  )
  const supply = await ask('listSupplyHistory', {}, '?limit=1000')
  assert.ok(isAnswer(supply) && (JSON.parse(supply.body.toString()) as unknown[]).length > 100)
})

test('an export is sold as so many lines of its CSV', async () => {
  const [rollup] = await keyGet<{ id: number }[]>('/v1/rollup?sort_by=size&sort=desc&limit=1')
  const { payload } = await key.inject({ method: 'GET', url: `/v1/rollup/${rollup!.id}/export` })
  const lines = payload.split(/(?<=\n)/)
  assert.ok(lines.length > 3, 'the recording has blobs of a rollup')
  const few = await ask('exportRollupBlobs', { id: String(rollup!.id) }, '?limit=2')
  assert.ok(isAnswer(few))
  assert.deepEqual(JSON.parse(few.body.toString()), { csv: lines.slice(0, 3).join(''), rows: 2 })
  const all = await ask('exportRollupBlobs', { id: String(rollup!.id) }, '?limit=1000')
  assert.ok(isAnswer(all))
  const { rows } = JSON.parse(all.body.toString()) as { rows: number }
  assert.equal(rows, Math.min(1000, lines.length - 1))
})
