import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { checkExport } from '../../src/export/check.ts'
import { type ExportOptions, FORMATS, runExport } from '../../src/export/run.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import type { ObjectStore } from '../../src/lib/object-store/object-store.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { type Dataset, type Row, readDataset } from '../../src/store/export/dataset.ts'
import { DATASETS } from '../../src/store/export/datasets.ts'
import { writeConfig } from '../support/config-file.ts'
import { readCsv } from '../support/csv.ts'
import { devnetUrl } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'

/** The recorded chain ends at 403. */
const FINAL = 303

describe('an export', () => {
  let db: Db
  let duck: Awaited<ReturnType<Awaited<ReturnType<typeof DuckDBInstance.create>>['connect']>>
  const root = mkdtempSync(join(tmpdir(), 'astrolabe-export-'))
  const whole = join(root, 'whole')
  before(async () => {
    db = openReader({ url: devnetUrl, schema: SCHEMA, max: 2, statementTimeoutMs: 0 })
    duck = await (await DuckDBInstance.create()).connect()
    await exportTo(whole)
  })
  after(async () => {
    duck.closeSync()
    await db.end()
    rmSync(root, { recursive: true })
  })

  const exportTo = (folder: string, options: Partial<ExportOptions> = {}) =>
    runExport({
      db,
      store: openFolder(folder),
      datasets: DATASETS,
      format: 'parquet',
      heightsPerFile: 100,
      rollbackDepth: 100,
      signal: new AbortController().signal,
      ...options,
    })
  const firstRow = async (dataset: Dataset) => (await readDataset(db, dataset, { from: 0, to: FINAL }).next()).value as Row[]
  const ask = async (statement: string) => (await duck.runAndReadAll(statement)).getRowsJson().map((row) => row.map(String))
  const digestsOf = (folder: string) =>
    new Map(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
        .map((path) => [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]),
    )

  test('DuckDB reads the files, and its counts and sums are those of the index', async () => {
    const [ours] = await db<Record<string, string>[]>`
      select (select count(*) from block where height <= ${FINAL})::text as blocks,
             (select sum(blobs_size) from block where height <= ${FINAL})::text as sizes,
             (select count(*) from tx where height <= ${FINAL})::text as txs,
             (select sum(fee) from tx where height <= ${FINAL})::text as fees,
             (select sum(gas_used) from tx where height <= ${FINAL})::text as gas,
             (select count(*) from message where height <= ${FINAL})::text as messages,
             (select sum(size) from message where height <= ${FINAL})::text as message_sizes,
             (select count(*) from blob where height <= ${FINAL})::text as blobs,
             (select round(sum(fee), 6) from blob where height <= ${FINAL})::text as blob_fees,
             (select max(time) from tx where height <= ${FINAL})::timestamptz::text as newest,
             (select count(*) from staking_log where height <= ${FINAL})::text as moves,
             (select count(*) from address where first_height <= ${FINAL})::text as accounts,
             (select sum(c.amount) from balance_change c join balance_change_type y on y.id = c.type_id
              where c.id < ${(FINAL + 1) * 2 ** 24} and c.address_id > 0 and y.cause in ('reward', 'commission'))::text as rewards,
             (select sum(balance) from (
                select distinct on (c.address_id, y.part, y.denom) c.balance
                from balance_change c join balance_change_type y on y.id = c.type_id
                where c.id < ${(FINAL + 1) * 2 ** 24} and c.address_id > 0
                order by c.address_id, y.part, y.denom, c.id desc) as last)::text as balances`
    const files = (name: string) => `'${whole}/${name}/*.parquet'`
    const [theirs] = await ask(`
      select (select count(*) from ${files('blocks')}), (select sum(blobs_size) from ${files('blocks')}),
             (select count(*) from ${files('txs')}), (select sum(fee) from ${files('txs')}), (select sum(gas_used) from ${files('txs')}),
             (select count(*) from ${files('messages')}), (select sum(size) from ${files('messages')}),
             (select count(*) from ${files('blobs')}), (select round(sum(fee), 6)::decimal(38, 6) from ${files('blobs')}),
             (select max(time) from ${files('txs')}),
             (select count(*) from ${files('stake_moves')}), (select count(*) from ${files('accounts')}),
             (select sum(amount::decimal(38, 0)) from ${files('rewards')}),
             (select sum(balance) from (
                select arg_max(balance, height)::decimal(38, 0) as balance from ${files('balances')} group by account, part, denom))`)
    const times = (text: string) => text.replace('+00', '')
    assert.deepEqual(theirs!.map(times), Object.values(ours!).map(times))
  })

  test('types are those of an analyst: times, decimals and bytes', async () => {
    const types = await ask(`select column_name, column_type from (describe select * from '${whole}/txs/*.parquet')`)
    assert.deepEqual(Object.fromEntries(types), {
      height: 'BIGINT',
      id: 'BIGINT',
      time: 'TIMESTAMP WITH TIME ZONE',
      hash: 'BLOB',
      success: 'BOOLEAN',
      code: 'BIGINT',
      codespace: 'VARCHAR',
      error: 'VARCHAR',
      gas_wanted: 'BIGINT',
      gas_used: 'BIGINT',
      fee: 'DECIMAL(38,0)',
      fee_other: 'VARCHAR',
      timeout_height: 'DECIMAL(38,0)',
      memo: 'VARCHAR',
      messages_count: 'BIGINT',
      events_count: 'BIGINT',
      blobs_count: 'BIGINT',
      message_types: 'VARCHAR',
      signers: 'VARCHAR',
    })
    const [codec] = await ask(`select distinct compression from parquet_metadata('${whole}/txs/0000000000-0000000099.parquet')`)
    assert.deepEqual(codec, ['ZSTD'])
    const signers = await ask(`
      select distinct json_extract_string(m.data, '$.Signer') = json_extract_string(t.signers, '$[0]')
      from '${whole}/messages/*.parquet' m join '${whole}/txs/*.parquet' t on t.id = m.tx_id
      where m.type = 'MsgPayForBlobs'`)
    assert.deepEqual(signers, [['true']])
  })

  test('no whole number is narrower than 64 bits: some readers add up a column in its own type', async () => {
    const narrow = await ask(`
      select distinct file_name, name from parquet_schema('${whole}/*/*.parquet')
      where type = 'INT32' or (type = 'BYTE_ARRAY' and name in ('height', 'size', 'gas_used'))`)
    assert.deepEqual(narrow, [])
    const large = 1_900_000
    const blobs = DATASETS.find(({ name }) => name === 'blobs')!
    const writer = FORMATS.parquet.open(blobs)
    const [row] = await firstRow(blobs as Dataset)
    await writer.add(Array.from({ length: 3000 }, () => ({ ...row!, size: large })))
    const path = join(root, 'large.parquet')
    writeFileSync(path, await writer.finish())
    assert.deepEqual(await ask(`select sum(size), typeof(min(size)) from '${path}'`), [['5700000000', 'BIGINT']])
  })

  test('files describe their dataset and columns', async () => {
    const [found] = await ask(`
      select decode(value) from parquet_kv_metadata('${whole}/blobs/0000000000-0000000099.parquet') where decode(key) = 'columns'`)
    assert.equal((JSON.parse(found![0]!) as Record<string, string>).size, 'bytes of the blob')
    for (const { name, columns } of DATASETS)
      for (const [column, [, about]] of Object.entries(columns))
        assert.ok(about.length > 3, `${name}.${column} has a description`)
  })

  test('every id resolves inside the export', async () => {
    const broken: string[] = []
    let keys = 0
    for (const { name, columns } of DATASETS)
      for (const [column, [type, about]] of Object.entries(columns)) {
        const [, table, id] = /\((\w+)\.(\w+)\)/.exec(about) ?? []
        if (!table || !id || !existsSync(join(whole, name))) continue
        keys++
        // Rollups may be registered before the chain has seen their signers.
        if (name === 'rollup_providers' && column !== 'rollup_id') continue
        const own = type === 'list' ? `unnest(from_json(${column}, '["varchar"]'))` : `${column}::varchar`
        const [missing] = await ask(`
          select count(*) from (select ${own} as id from '${whole}/${name}/*.parquet') x
          where x.id is not null and x.id not in (select ${id}::varchar from '${whole}/${table}/*.parquet')`)
        if (missing![0] !== '0') broken.push(`${name}.${column}: ${missing![0]} values are not in ${table}.${id}`)
      }
    assert.deepEqual(broken, [])
    assert.ok(keys > 40, `${keys} keys`)
  })

  test('state is that of the last final height, however far the chain has moved on', async () => {
    const early = join(root, 'early-state')
    const datasets = DATASETS.filter(({ name }) => ['blocks', 'validators', 'proposals', 'votes'].includes(name))
    const rewardsAt = async (height: number) => {
      const [row] = await db<{ rewards: string }[]>`
        select ((select sum(rewards) from validator) - coalesce((select sum(rewards) from block where height > ${height}), 0))::text as rewards`
      return row!.rewards
    }
    assert.notEqual(await rewardsAt(FINAL), await rewardsAt(403))
    for (const height of [FINAL, 403]) {
      const { state } = await exportTo(early, { datasets, rollbackDepth: 403 - height })
      assert.equal(state!.height, height)
      assert.deepEqual(await ask(`select sum(rewards) from '${early}/validators/*.parquet'`), [[await rewardsAt(height)]])
      assert.equal(readdirSync(join(early, 'validators')).length, 1)
    }
  })

  test('every format holds the same rows', async () => {
    const some = DATASETS.filter(({ name }) => ['txs', 'messages', 'blobs'].includes(name))
    for (const format of ['csv', 'ndjson'] as const) await exportTo(join(root, format), { format, datasets: some, to: 150 })
    const textOf = (format: string, file: string) =>
      gunzipSync(readFileSync(join(root, format, `${file}.${format}.gz`))).toString()
    for (const { name, columns } of some) {
      const file = `${name}/0000000100-0000000150`
      const [names, ...cells] = readCsv(textOf('csv', file))
      assert.deepEqual(names, Object.keys(columns))
      const rows = textOf('ndjson', file)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      assert.deepEqual(
        cells,
        rows.map((row) =>
          names!.map((column) => {
            const value = row[column]
            if (value === null) return ''
            if (columns[column]![0] === 'list') return (value as unknown[]).join(';')
            return columns[column]![0] === 'json' ? JSON.stringify(value) : String(value)
          }),
        ),
      )
      const [counted] = await ask(`select count(*) from '${whole}/${name}/*.parquet' where height between 100 and 150`)
      assert.equal(String(rows.length), counted![0])
    }
    const [first] = await ask(`select to_hex(hash), fee::varchar from '${whole}/txs/*.parquet' where height = 150 order by id`)
    const line = textOf('ndjson', 'txs/0000000100-0000000150')
      .split('\n')
      .find((text) => text.startsWith('{"height":150,'))
    const row = JSON.parse(line!) as { hash: string; fee: string }
    assert.deepEqual([row.hash, row.fee], [first![0]!.toLowerCase(), first![1]])
  })

  longTest('a run that is killed and run again leaves the same files', async () => {
    const config = writeConfig(makeFolder(), { networks: [{ rpc: ['http://127.0.0.1:1'] }] })
    const folder = join(root, 'killed')
    const exportByCommand = () =>
      runCli(['export', folder, '--heights-per-file', '100', '--config', config, '--database', devnetUrl, '--data', makeFolder()])
    const first = exportByCommand()
    await appears(join(folder, 'blobs'))
    first.child.kill('SIGKILL')
    await first.ended
    assert.ok(digestsOf(folder).size < digestsOf(whole).size)
    const { code, text } = await exportByCommand().ended
    assert.equal(code, 0, text)
    assert.match(text, /^txs +\d+ +\d+ +\d/m)
    assert.match(text, /killed holds all heights up to 303\n$/)
    assert.deepEqual(digestsOf(folder), digestsOf(whole))
  })

  longTest('one that fails with any object is finished as it was begun, although the chain has moved on', async () => {
    const datasets = DATASETS.slice(0, 2)
    const untouched = join(root, 'untouched')
    await exportTo(untouched, { datasets, to: 250 })
    await exportTo(untouched, { datasets })
    for (const puts of [0, 2, 5]) {
      const folder = join(root, `broken-${puts}`)
      const store = breakAfter(openFolder(folder), puts)
      await assert.rejects(exportTo(folder, { store, datasets, to: 250 }), /the power is gone/)
      await exportTo(folder, { datasets, ...(puts === 0 && { to: 250 }) })
      await exportTo(folder, { datasets })
      assert.deepEqual(digestsOf(folder), digestsOf(untouched), `after ${puts} objects`)
    }
  })

  test('later heights only add files, and a run with nothing new changes none', async () => {
    const folder = join(root, 'growing')
    await exportTo(folder, { to: 120 })
    const early = digestsOf(folder)
    await exportTo(folder, { to: 120 })
    assert.deepEqual(digestsOf(folder), early)
    const { ranges } = await exportTo(folder)
    const late = digestsOf(folder)
    for (const [name, digest] of early) if (name !== 'manifest.json') assert.equal(late.get(name), digest, name)
    assert.deepEqual(
      ranges.map(({ from, to }) => [from, to]),
      [
        [0, 99],
        [100, 120],
        [121, 199],
        [200, 299],
        [300, FINAL],
      ],
    )
    const [counts] = await ask(`
      select (select count(*) from '${folder}/txs/*.parquet'), (select count(*) from '${whole}/txs/*.parquet'),
             (select count(distinct id) from '${folder}/txs/*.parquet')`)
    assert.equal(new Set(counts).size, 1, String(counts))
  })

  test('a file that grows too large is continued in another', async () => {
    const datasets = DATASETS.filter(({ name }) => name === 'messages')
    const options = { datasets, format: 'ndjson', heightsPerFile: 1000 } as const
    await exportTo(join(root, 'one'), options)
    await exportTo(join(root, 'several'), { ...options, fileBytes: 1 })
    const rowsOf = (name: string) =>
      readdirSync(join(root, name, 'messages')).map((file) =>
        gunzipSync(readFileSync(join(root, name, 'messages', file))).toString(),
      )
    assert.deepEqual([rowsOf('one').length, rowsOf('several').length > 1], [1, true])
    const linesOf = (name: string) => rowsOf(name).join('').split('\n').sort()
    assert.deepEqual(linesOf('several'), linesOf('one'))
  })

  test('only whole ranges where that is wanted, and never what may be taken back', async () => {
    const folder = join(root, 'ranges')
    const { ranges } = await exportTo(folder, { wholeRanges: true, datasets: DATASETS.slice(0, 1) })
    assert.equal(ranges.at(-1)!.to, 299)
    await assert.rejects(exportTo(join(root, 'none'), { to: FINAL + 1 }), /height 304 is not final: the last final height is 303/)
  })

  test('what does not belong together is refused in a sentence', async () => {
    await assert.rejects(exportTo(whole, { heightsPerFile: 50 }), /another number of heights per file \(100, not 50\)/)
    await assert.rejects(exportTo(whole, { format: 'csv' }), /another file format/)
    await assert.rejects(exportTo(whole, { datasets: DATASETS.slice(1) }), /another choice of datasets or columns/)
    const { signal } = new AbortController()
    assert.equal((await checkExport(openFolder(whole), signal)).files, digestsOf(whole).size - 1)
    const folder = join(root, 'changed')
    await exportTo(folder, { datasets: DATASETS.slice(0, 1), to: 120 })
    writeFileSync(join(folder, 'blocks/0000000100-0000000120.parquet'), 'x')
    await assert.rejects(checkExport(openFolder(folder), signal), /0000000100-0000000120.parquet .* checksum differs/)
  })
})

/** Waits for a folder; the test's own time limit ends it. */
async function appears(folder: string): Promise<void> {
  while (!existsSync(folder)) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A store that takes so many objects and then fails, as a process that is killed. */
function breakAfter(store: ObjectStore, puts: number): ObjectStore {
  let left = puts
  return {
    ...store,
    put: async (key, bytes) => {
      if (left-- === 0) throw new Error('the power is gone')
      await store.put(key, bytes)
    },
  }
}
