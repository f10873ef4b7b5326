import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import type { AstrolabeError } from '../../src/lib/errors.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { run } from '../../src/pipeline/run.ts'
import { superviseRun } from '../../src/pipeline/supervise.ts'
import { auditIndex } from '../../src/store/audit/audit.ts'
import { openReader } from '../../src/store/db.ts'
import { editRegistry, loadRollups, resumeFill } from '../../src/store/rollups/edit-rollups.ts'
import { fillRollups } from '../../src/store/rollups/fill.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { freshDatabase, serverUrl } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { openSharedPool } from '../support/shared-pool.ts'
import { createDatabase, indexRecording, SCHEMA } from '../support/templates.ts'
import { connect, contentOf, FILE, holdOff, readOne } from './rollup-registry.case.ts'

describe('a change of the rollup registry', () => {
  let plain: string
  let copies = 0
  /** A copy of the recorded chain that was indexed without any rollup. */
  const copyOf = (url: string) => createDatabase(serverUrl, `registry_${process.pid}_${++copies}`, new URL(url).pathname.slice(1))
  before(async () => {
    plain = await freshDatabase()
    await indexRecording(plain, 'devnet')
  })

  test('after indexing gives the same tables as before it, undo records included', async () => {
    const late = await copyOf(plain)
    assert.equal(await loadRollups(late, SCHEMA, FILE), 3)
    const early = await freshDatabase('devnet')
    assert.deepEqual(await contentOf(late), await contentOf(early))
    assert.equal((await readOne(late, 'select count(*)::int as n from blob_rollup'))?.n, 290)
  })

  longTest('is undone by a delete', async () => {
    const url = await freshDatabase('devnet')
    for (const id of [1, 2]) assert.ok(await editRegistry(url, SCHEMA, (registry) => registry.remove(id)))
    assert.deepEqual(await contentOf(url), await contentOf(plain))
    assert.equal(await editRegistry(url, SCHEMA, (registry) => registry.remove(99)), false)
  })

  test('links a rollup when it is verified and unlinks it when it is not any more', async () => {
    const url = await freshDatabase('devnet')
    const unverified = await contentOf(url)
    const providers = [{ namespace: 'AAAAAAAAAAAAAAAAAAAAAAAAAABlY2xpcHNlLW0=' }]
    const id = await editRegistry(url, SCHEMA, (registry) => registry.create({ name: 'Eclipse', providers }, false))
    assert.deepEqual(await contentOf(url), unverified)
    await editRegistry(url, SCHEMA, (registry) => registry.verify(id))
    assert.equal((await readOne(url, `select blobs_count::int as n from rollup_stats where rollup_id = ${id}`))?.n, 432)
    await editRegistry(url, SCHEMA, (registry) => registry.update(id, { description: 'other' }, { keepsVerified: false }))
    assert.deepEqual(await contentOf(url), unverified)
    assert.equal((await readOne(url, `select description from rollup where id = ${id}`))?.description, 'other')
  })

  longTest('while blocks come in is seen by the writer, which starts over and links by the new registry', async () => {
    const url = await freshDatabase()
    const { signal } = new AbortController()
    const source = await openRecordingSource(packagePath('data/recordings/devnet'))
    const retries: string[] = []
    let loading: Promise<number> | undefined
    await superviseRun(
      {
        source,
        openWriter: (stop) => Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, stop),
        openPool: () => openSharedPool(),
        random: () => 0,
        onRetry: (error) => retries.push((error as AstrolabeError).code),
      },
      {
        batchBlocks: 10,
        follow: false,
        maxRollbackDepth: 100,
        onProgress: ({ height }) => {
          if (height >= 100) loading ??= loadRollups(url, SCHEMA, FILE)
        },
      },
      signal,
    )
    await source.close()
    assert.equal(await loading, 3)
    assert.deepEqual(retries, ['head_moved'])
    assert.deepEqual(await contentOf(url), await contentOf(await freshDatabase('devnet')))
  })

  longTest('that is cut off between two slices is finished later, with the same tables', async () => {
    const url = await copyOf(plain)
    const client = await connect(url)
    let commits = 0
    const cutOff = {
      query: (statement: string, values?: unknown[]) =>
        statement === 'commit' && ++commits === 4 ? Promise.reject(new Error('cut off')) : client.query(statement, values),
    }
    try {
      await holdOff(url, () => loadRollups(url, SCHEMA, FILE))
      await assert.rejects(fillRollups(cutOff as unknown as pg.Client, SCHEMA, 10), /cut off/)
      // Slices end with a block.
      assert.equal((await readOne(url, 'select count(*)::int as n from blob_rollup'))?.n, 32)
      assert.equal((await readOne(url, 'select count(*)::int as n from rollup where verified'))?.n, 0)
    } finally {
      await client.end()
    }
    const reader = openReader({ url, schema: SCHEMA, max: 1 })
    const violations: string[] = []
    for await (const step of auditIndex(reader)) violations.push(...step.violations.map(({ detail }) => detail))
    await reader.end()
    assert.deepEqual(violations, [])
    await resumeFill(url, SCHEMA)
    assert.deepEqual(await contentOf(url), await contentOf(await freshDatabase('devnet')))
  })

  longTest('between the start of the writer and the first block is not lost', async () => {
    const url = await freshDatabase()
    const signal = new AbortController().signal
    const source = await openRecordingSource(packagePath('data/recordings/devnet'))
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
    await loadRollups(url, SCHEMA, FILE)
    const options = { batchBlocks: 100, follow: false, maxRollbackDepth: 100, until: 20 }
    await assert.rejects(run(source, writer, openSharedPool(), options, signal), { code: 'head_moved' })
    for (const part of [writer, source]) await part.close()
    await indexRecording(url, 'devnet', { until: 60 })
    assert.notEqual((await readOne(url, 'select count(*)::int as n from blob_rollup'))?.n, 0)
  })

  test('that fails changes nothing', async () => {
    const url = await freshDatabase('devnet')
    const before = await contentOf(url)
    const add = (providers: { address?: string }[]) =>
      editRegistry(url, SCHEMA, (registry) => registry.create({ name: 'New', providers }, true))
    await assert.rejects(add([{ address: 'celestia1nonsense' }]), /not an address/)
    await assert.rejects(add([]), /at least one provider/)
    await assert.rejects(
      editRegistry(url, SCHEMA, (registry) => registry.create({ name: 'forma ART!', providers: [{ address: 'x' }] }, true)),
      /slug forma-art already/,
    )
    assert.deepEqual(await contentOf(url), before)
    assert.equal((await readOne(url, 'select registry_version::int as n from head'))?.n, 0)
  })
})
