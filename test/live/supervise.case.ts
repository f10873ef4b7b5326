import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import type { ChainSource } from '../../src/chain/source.ts'
import { AstrolabeError } from '../../src/lib/errors.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { PreparePool } from '../../src/pipeline/prepare-pool.ts'
import { superviseRun } from '../../src/pipeline/supervise.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { runCli } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'
import { delayBranch, readForged, toRaw } from './branches.ts'
import { assertSameTables, digestRecording, digestUndisturbed } from './oracle.ts'
import { SEED, startIndexer, startNode, waitUntil } from './stack.ts'

const END = 158

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  closeAfterwards(() => client.end())
  return client
}

/** A source whose blocks stop coming at `from`, as often as `times` says; only an abort ends the wait. */
function hangAt(source: ChainSource, from: number, times: number): ChainSource {
  let left = times
  return {
    ...source,
    async *blocks(first, last, signal) {
      for await (const chunk of source.blocks(first, last, signal)) {
        if (left > 0 && chunk.at(-1)!.height >= from) {
          left--
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        }
        yield chunk
      }
    },
  }
}

async function superviseHanging(from: number, times: number): Promise<{ url: string; stalls: number }> {
  const url = await freshDatabase()
  const node = await startNode({ recording: 'test-1', startHeight: 60, intervalMs: 100 })
  const source = createRpcSource({ urls: [node.url], pollMs: 100 })
  closeAfterwards(() => source.close())
  let stalls = 0
  await superviseRun(
    {
      source: hangAt(source, from, times),
      openWriter: (signal) => Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal),
      openPool: () => new PreparePool(1),
      watchdog: { minMs: 6000, blockTimes: 0 },
      onStall: () => stalls++,
    },
    { batchBlocks: 50, follow: true, maxRollbackDepth: 100, until: END, verifyCommits: false },
    new AbortController().signal,
  ).finally(() => node.close())
  return { url, stalls }
}

/** Tests of the default run. */
export function testSupervision(): void {
  test('a pipeline that hangs is built again and continues', async () => {
    const { url, stalls } = await superviseHanging(50, 1)
    assert.equal(stalls, 1)
    assertSameTables(await digestOf(url), await digestRecording('test-1'))
  })

  longTest('a pipeline that hangs again without a commit ends with the error for exit code 75', async () => {
    await assert.rejects(
      superviseHanging(1, 2),
      (error: unknown) => error instanceof AstrolabeError && error.code === 'stalled' && error.facts.committedHeight === 0,
    )
  })

  longTest('a writer that loses its lock hears of it at once, also while the chain stands still', async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1', startHeight: 20 })
    const indexer = startIndexer(url, [node], { announce: false, rpc: { listen: false, pollMs: 3_600_000 } })
    await indexer.reached(20)
    const admin = await connect(url)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name ~ '^astrolabe lock '`)
    await waitUntil(() => indexer.retries.length > 0)
    assert.equal((indexer.retries[0] as AstrolabeError).code, 'connection_lost')
    // The next run takes the lock again, with nothing to write.
    const locks = `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name ~ '^astrolabe lock '`
    await waitUntil(async () => (await admin.query(locks)).rows[0].n === 1)
    await indexer.stop()
  })

  longTest('an error of a statement that does not pass ends the run after three tries', async () => {
    const url = await freshDatabase()
    const admin = await connect(url)
    await admin.query(`alter table "${SCHEMA}".message rename to message_elsewhere`)
    const node = await startNode({ recording: 'test-1' })
    const indexer = startIndexer(url, [node], { announce: false })
    await assert.rejects(indexer.ended, (error: Error & { code?: string }) => error.code === '42P01')
    assert.equal(indexer.retries.length, 2)
  })

  test('an indexer whose tables are gone says so and ends', async () => {
    const url = await freshDatabase()
    const admin = await connect(url)
    const node = await startNode({ recording: 'test-1', startHeight: 20 })
    const indexer = runCli(['index', '--database', url, '--rpc', node.url, '--log-level', 'silent'])
    await waitUntil(async () => (await admin.query(`select last_height from "${SCHEMA}".head`)).rows[0]?.last_height === 20)
    await admin.query(`drop schema "${SCHEMA}" cascade`)
    node.setHeight(40)
    const { code, err } = await indexer.ended
    assert.equal(code, 1)
    assert.match(err, /the tables of network \S+ are gone \(relation ".+" does not exist\)/)
  })

  longTest('an indexer killed inside a rollback resumes as if it had not begun', async () => {
    const branch = toRaw(delayBranch(await readForged('test-1', END - 30, END), 1))
    const oracle = await digestUndisturbed('test-1', branch)
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1' })
    await startIndexer(url, [node], { follow: false, announce: false }).ended
    node.fork(branch)
    node.setHeight(END + 1)

    // The rollback waits for a lock in the middle of its deletions.
    const blocker = await connect(url)
    await blocker.query('begin')
    await blocker.query(`lock table "${SCHEMA}".blob in share mode`)
    const args = ['index', '--once', '--database', url, '--rpc', node.url, '--log-level', 'silent']
    // The branch is forged without the keys of the recorded validators.
    const indexer = runCli(args, { env: { INDEX_VERIFY_COMMITS: 'false' } })
    const admin = await connect(url)
    const waiting = `select count(*)::int as n from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`
    await waitUntil(async () => (await admin.query(waiting, [`astrolabe write ${SCHEMA}`])).rows[0].n > 0)
    indexer.child.kill('SIGKILL')
    await indexer.ended
    await blocker.query('rollback')

    await startIndexer(url, [node], { follow: false, announce: false }).ended
    assertSameTables(await digestOf(url), oracle)
  })
}

/** Tests of the long run. */
export function testSupervisionAtLength(): void {
  test(`connections of the writer that are cut at any moment cost nothing but time (seed ${SEED})`, async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1', startHeight: 20 })
    const admin = await connect(url)
    const random = createSeededRandom(SEED)
    const indexer = startIndexer(url, [node], { batchBlocks: 3, announce: false })
    for (let height = 20; height < END; height += 23) {
      node.setHeight(height)
      if (random() < 0.5) await indexer.reached(height)
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name ~ $1 and pid <> pg_backend_pid()`,
        [`^astrolabe (${['write', 'load', 'lock', 'write|load|lock'][Math.floor(random() * 4)]}) `],
      )
    }
    node.setHeight(END)
    await indexer.reached(END)
    await indexer.stop()
    assert.ok(indexer.retries.length > 0)
    assertSameTables(await digestOf(url), await digestRecording('test-1'))
  })

  test('commits wait for the disk at the tip, and only there', async () => {
    const url = await freshDatabase()
    const admin = await connect(url)
    await admin.query(`create table "${SCHEMA}".commit_log (height int, mode text)`)
    await admin.query(`create function "${SCHEMA}".note_commit() returns trigger language plpgsql as $$
    begin
      insert into "${SCHEMA}".commit_log values (new.last_height, current_setting('synchronous_commit'));
      return null;
    end $$`)
    await admin.query(
      `create constraint trigger note_commit after update on "${SCHEMA}".head deferrable for each row execute function "${SCHEMA}".note_commit()`,
    )
    await admin.query(
      `alter database "${(await admin.query('select current_database() as name')).rows[0].name}" set synchronous_commit to on`,
    )
    const node = await startNode({ recording: 'test-1', startHeight: 100 })
    const indexer = startIndexer(url, [node], { announce: false, batchBlocks: 10 })
    await indexer.reached(100)
    await node.advance()
    await indexer.reached(101)
    await indexer.stop()
    const { rows } = await admin.query<{ height: number; mode: string }>(`select * from "${SCHEMA}".commit_log order by height`)
    const modes = new Map(rows.map(({ height, mode }) => [height, mode]))
    assert.deepEqual([modes.get(100), modes.get(101)], ['on', 'on'])
    assert.ok(rows.some(({ mode }) => mode === 'off'))
  })
}
