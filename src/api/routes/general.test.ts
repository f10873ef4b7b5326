import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { openWriterSql } from '../../../test/support/writer-sql.ts'
import { packagePath } from '../../lib/package-path.ts'
import { openTestApi, type TestApi } from '../testing.ts'

describe('general routes over the recorded chain', () => {
  let api: TestApi
  let url: string
  before(async () => {
    url = await freshDatabase('devnet')
    api = await openTestApi({ url })
  })
  after(() => api.close())

  test('the head is that of the last block and agrees with the counts', async () => {
    const head = (await api.get('/v1/head')).json() as Record<string, unknown>
    const last = (await api.get('/v1/block/403')).json() as { hash: string; time: string }
    assert.deepEqual([head.last_height, head.hash, head.last_time], [403, last.hash.toLowerCase(), last.time])
    assert.equal((await api.get('/v1/tx/count')).text, `${head.total_tx}\n`)
    assert.equal(head.synced, true, 'the clock of the test stands at the last block')
  })

  test('the head tells how far the source is', async () => {
    const sql = openWriterSql(url, SCHEMA)
    await sql`delete from source_head`
    await api.watch.confirm()
    assert.equal((await api.get('/v1/head')).headers['x-node-height'], undefined)
    await sql`insert into source_head (height, time, seen_at) values (410, now(), now())`
    await sql.end()
    await api.watch.confirm()
    const { headers } = await api.get('/v1/head')
    assert.deepEqual([headers['x-node-height'], headers['x-lag-blocks'], headers['x-indexed-height']], ['410', '7', '403'])
  })

  test('constants are the parameters of the node, without trailing zeros', async () => {
    const { module, denom_metadata } = (await api.get('/v1/constants')).json() as {
      module: Record<string, Record<string, string>>
      denom_metadata: { base: string; units: object[] }[]
    }
    const truth = JSON.parse(readFileSync(packagePath('data/recordings/devnet/truth.json'), 'utf8')) as {
      params: Record<string, { params: Record<string, string> }>
    }
    const { community_tax } = truth.params.distribution!.params
    assert.equal(Number(module.distribution!.community_tax), Number(community_tax))
    for (const values of Object.values(module))
      for (const value of Object.values(values)) assert.doesNotMatch(value, /^\d+\.\d*0$/)
    assert.deepEqual(
      denom_metadata.map(({ base }) => base),
      ['utia'],
    )
    assert.deepEqual(denom_metadata[0]!.units[0], { denom: 'utia', exponent: 0, aliases: ['microtia'] })
  })

  test('enums list every word once, tags of verified rollups among them', async () => {
    const enums = (await api.get('/v1/enums')).json() as Record<string, string[]>
    assert.equal(enums.message_type!.length, 115)
    assert.equal(enums.event_type!.length, 91)
    assert.deepEqual(enums.tags, ['art', 'nft'])
    for (const [name, words] of Object.entries(enums)) assert.equal(new Set(words).size, words.length, name)
  })

  test('datasets are those of the export, with a description of every column', async () => {
    const { formats, datasets } = (await api.get('/v1/datasets')).json() as {
      formats: string[]
      datasets: {
        name: string
        replaced: boolean
        columns: { name: string; type: string; nullable: boolean; description: string }[]
      }[]
    }
    assert.deepEqual(formats, ['parquet', 'csv', 'ndjson', 'iceberg'])
    assert.equal(datasets.length, 24)
    for (const { name, columns } of datasets)
      for (const column of columns) assert.ok(column.description.length > 3, `${name}.${column.name}`)
    const [blocks] = datasets
    assert.deepEqual(
      blocks!.columns.find(({ name }) => name === 'proposer_id'),
      {
        name: 'proposer_id',
        type: 'int64',
        nullable: true,
        description: 'validator that proposed the block (validators.id); null for the genesis document',
      },
    )
    assert.deepEqual(
      datasets.filter(({ replaced }) => replaced).map(({ name }) => name),
      ['validators', 'proposals', 'votes', 'rollups', 'rollup_providers', 'prices'],
    )
  })
})
