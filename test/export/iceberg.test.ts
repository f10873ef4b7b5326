import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { encodeLong } from '../../src/export/iceberg/avro.ts'
import { type ExportOptions, runExport } from '../../src/export/run.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import type { ObjectStore } from '../../src/lib/object-store/object-store.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { DATASETS } from '../../src/store/export/datasets.ts'
import { devnetUrl } from '../support/database.ts'
import { fewOf } from '../support/long-test.ts'
import { readAvro } from '../support/read-avro.ts'
import { SCHEMA } from '../support/templates.ts'

type Metadata = {
  'current-snapshot-id': number
  schemas: { fields: { name: string; type: string; doc: string }[] }[]
  snapshots: { 'manifest-list': string; 'timestamp-ms': number; summary: Record<string, string> }[]
}

test('numbers of Avro are those of its specification', () => {
  const cases: [number | bigint, string][] = [
    [0, '00'],
    [-1, '01'],
    [1, '02'],
    [-64, '7f'],
    [64, '8001'],
    [2n ** 63n - 1n, 'feffffffffffffffff01'],
    [-(2n ** 63n), 'ffffffffffffffffff01'],
  ]
  for (const [value, hex] of cases) assert.equal(encodeLong(value).toString('hex'), hex)
})

describe('tables of Iceberg', () => {
  let db: Db
  const root = mkdtempSync(join(tmpdir(), 'astrolabe-iceberg-'))
  before(() => {
    db = openReader({ url: devnetUrl, schema: SCHEMA, max: 2, statementTimeoutMs: 0 })
  })
  after(async () => {
    await db.end()
    rmSync(root, { recursive: true })
  })

  const datasets = DATASETS.filter(({ name }) => ['blocks', 'blobs', 'validators'].includes(name))
  const exportTo = (folder: string, options: Partial<ExportOptions> = {}) =>
    runExport({
      db,
      store: openFolder(folder),
      datasets,
      format: 'iceberg',
      heightsPerFile: 100,
      rollbackDepth: 100,
      signal: new AbortController().signal,
      ...options,
    })
  const current = (folder: string, table: string): Metadata => {
    const place = join(folder, table, 'metadata')
    const version = readFileSync(join(place, 'version-hint.text'), 'utf8')
    return JSON.parse(readFileSync(join(place, `v${version}.metadata.json`), 'utf8')) as Metadata
  }
  /** Rows of the files of the current snapshot, by the manifests that readers follow. */
  const rowsOf = (folder: string, table: string) => {
    const list = readAvro(readFileSync(current(folder, table).snapshots.at(-1)!['manifest-list']))
    const entries = list.flatMap(({ manifest_path, manifest_length }) => {
      const bytes = readFileSync(manifest_path as string)
      assert.equal(bytes.length, manifest_length)
      return readAvro(bytes)
    })
    return entries.reduce((sum, entry) => {
      const { file_path, file_size_in_bytes, record_count } = entry.data_file as Record<string, string | number>
      assert.equal(readFileSync(file_path as string).length, file_size_in_bytes)
      return sum + (record_count as number)
    }, 0)
  }

  test('every run is a snapshot, and the rows are those of the index', async () => {
    const folder = join(root, 'runs')
    await exportTo(folder, { to: 120 })
    assert.equal(rowsOf(folder, 'blocks'), 121)
    await exportTo(folder, { to: 120 })
    assert.equal(current(folder, 'blocks').snapshots.length, 1)
    await exportTo(folder, { rollbackDepth: 50 })
    assert.equal(rowsOf(folder, 'blocks'), 354)
    assert.equal(current(folder, 'blocks').snapshots.length, 2)
    const [row] = await db<{ blobs: number; validators: number }[]>`
      select (select count(*) from blob where height <= 353)::integer as blobs, (select count(*) from validator)::integer as validators`
    assert.deepEqual([rowsOf(folder, 'blobs'), rowsOf(folder, 'validators')], [row!.blobs, row!.validators])
    assert.equal(current(folder, 'validators').snapshots.at(-1)!.summary.operation, 'overwrite')
    const size = current(folder, 'blobs').schemas[0]!.fields.find(({ name }) => name === 'size')
    assert.deepEqual([size?.type, size?.doc], ['long', 'bytes of the blob'])
  })

  test('a run that ends anywhere leaves the snapshots that were there, and the next one finishes it', async () => {
    const folder = join(root, 'broken')
    await exportTo(folder, { to: 120 })
    let puts = 0
    await exportTo(join(root, 'counted'), { to: 120 })
    await exportTo(join(root, 'counted'), { store: countPuts(openFolder(join(root, 'counted')), () => puts++) })
    const places = fewOf(
      Array.from({ length: puts }, (_, i) => i),
      3,
    )
    for (const at of places) {
      const store = breakAt(openFolder(folder), at)
      const hasEnded = await exportTo(folder, { store }).then(
        () => true,
        () => false,
      )
      assert.ok([121, 304].includes(rowsOf(folder, 'blocks')))
      if (hasEnded) break
    }
    await exportTo(folder)
    assert.equal(rowsOf(folder, 'blocks'), 304)
    assert.equal(rowsOf(folder, 'blobs'), rowsOf(join(root, 'counted'), 'blobs'))
    assert.equal(current(folder, 'blocks').snapshots.length, 2)
  })
})

const countPuts = (store: ObjectStore, count: () => void): ObjectStore => ({
  ...store,
  put: (key, bytes) => {
    count()
    return store.put(key, bytes)
  },
})

/** Fails with the object at this place, as a process that is killed. */
function breakAt(store: ObjectStore, at: number): ObjectStore {
  let left = at
  return {
    ...store,
    put: async (key, bytes) => {
      if (left-- === 0) throw new Error('the power is gone')
      await store.put(key, bytes)
    },
  }
}
