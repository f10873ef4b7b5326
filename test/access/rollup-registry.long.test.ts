import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openReader } from '../../src/store/db.ts'
import { listRegistry, listUnverified } from '../../src/store/read/rollup/list.ts'
import { editRegistry, loadRollups } from '../../src/store/rollups/edit-rollups.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { freshDatabase } from '../support/database.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'
import { connect, contentOf, FILE, readOne, until } from './rollup-registry.case.ts'

describe('a change of the rollup registry', () => {
  test('counts a blob of two rollups once among all, and keeps it when one of them goes', async () => {
    const url = await freshDatabase('devnet')
    const before = await contentOf(url)
    const sum = async () => (await readOne(url, 'select sum(rollup_blobs_count)::int as n from block_bucket where frame = 1'))?.n
    assert.equal(await sum(), 290)
    // The signer of the first rollup, 146 of whose 437 blobs are in that rollup's namespace.
    const providers = [{ address: 'celestia1eyxcmwhgqxl2y0h9yj8d6z2y9mm902lu3z00d7' }]
    const id = await editRegistry(url, SCHEMA, (registry) => registry.create({ name: 'Double', providers }, true))
    assert.equal(await sum(), 290 + 437 - 146)
    assert.equal((await readOne(url, `select blobs_count::int as n from rollup_stats where rollup_id = ${id}`))?.n, 437)
    await editRegistry(url, SCHEMA, (registry) => registry.remove(id))
    assert.deepEqual(await contentOf(url), before)
  })

  test('can be rolled back over: the heights that go take their links along', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'devnet')
    await loadRollups(url, SCHEMA, FILE)
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    await writer.revertTo(340)
    await writer.close()
    const oracle = await freshDatabase()
    await indexRecording(oracle, 'devnet', { rollups: true, until: 340 })
    const { undo: _undo, ...tables } = await contentOf(url)
    const { undo: _other, ...expected } = await contentOf(oracle)
    assert.deepEqual(tables, expected)
  })

  test('leaves the head free while the blobs of a rollup are linked, and shows the rollup when it has all of them', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'devnet', { until: 300 })
    const holder = await connect(url)
    const reader = openReader({ url, schema: SCHEMA, max: 1 })
    try {
      // The fill comes as far as its first insert into this table, and stands there with everything it holds.
      await holder.query('begin; lock table rollup_stats in share mode')
      const loading = loadRollups(url, SCHEMA, FILE)
      await until(
        async () =>
          (
            await readOne(
              url,
              'select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()',
            )
          )?.n === 1,
      )
      await indexRecording(url, 'devnet')
      assert.equal((await readOne(url, 'select last_height from head'))?.last_height, 403)
      assert.deepEqual(
        (await listRegistry(reader)).map(({ state, blobs }) => [state, blobs]),
        [
          ['filling', 0],
          ['filling', 0],
          ['unverified', 0],
        ],
      )
      assert.deepEqual((await listUnverified(reader)).length, 1)
      await holder.query('commit')
      assert.equal(await loading, 3)
      assert.deepEqual(await contentOf(url), await contentOf(await freshDatabase('devnet')))
    } finally {
      await Promise.all([holder.end(), reader.end()])
    }
  })
})
