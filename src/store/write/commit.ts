import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Transient } from '../../lib/errors.ts'
import { readVerified } from '../families/rollups.ts'
import { APPEND_ONLY, type AppendOnlyTable } from '../pack/append-only.ts'
import { readLayout } from '../partitions/layout.ts'
import { notifyHead } from '../servers/head-notice.ts'
import type { StateTable, TableChanges } from '../state/table.ts'
import type { AppliedBatch } from './apply-batch.ts'
import { keepSteps } from './undo-steps.ts'
import { addUnverified, type HeightRange } from './unverified.ts'

// biome-ignore lint/suspicious/noExplicitAny: writes rows of any table by its definition
type AnyTable = StateTable<any>

export type StateChanges = { table: AnyTable; changes: TableChanges }[]

/** Where the head must be for the batch to continue it (I4: a writer that lost its lock cannot move the head). */
export type ExpectedHead = {
  height: number | null
  registryVersion: number
  registrySize: number
  /** whether txs are partitioned, which moves the version of the registry too */
  isPartitioned: boolean
}

export class HeadMoved extends Transient {}

const quoted = (name: string) => `"${name}"`

/** Writes a batch in one transaction: all of its blocks and the head, or nothing (I1). */
export async function commitBatch(
  client: pg.Client,
  schema: string,
  batch: AppliedBatch,
  changes: StateChanges,
  expected: ExpectedHead,
  { undoDepth, isRelaxed, unverified }: { undoDepth: number; isRelaxed: boolean; unverified?: HeightRange | undefined },
): Promise<void> {
  // fsync and full_page_writes stay on; only the wait for them may be left out.
  await client.query(isRelaxed ? 'begin; set local synchronous_commit to off' : 'begin')
  try {
    // Where txs are not partitioned, their own index finds them by hash.
    for (const [table, texts] of batch.rows.entries())
      if (table !== 'tx_hash' || expected.isPartitioned) await copyRows(client, table, texts)
    let commitNumber = 0
    for (const { table, changes: rows } of changes) {
      if (table.def.name === 'head') commitNumber = await moveHead(client, table, rows, expected)
      else await writeRows(client, table, rows)
    }
    if (batch.undo.length > 0)
      await client.query('insert into undo (height, payload) select * from unnest($1::int[], $2::bytea[])', [
        batch.undo.map(({ height }) => height),
        batch.undo.map(({ payload }) => payload),
      ])
    if (unverified) await addUnverified(client, unverified)
    await keepSteps(client, { ...batch, undoDepth })
    await notifyHead(client, { schema, height: batch.to, commitNumber })
    await client.query('commit')
  } catch (error) {
    // The connection may be gone; the outcome is then decided by reading the head again.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

function copyRows(client: pg.Client, table: AppendOnlyTable, texts: string[]): Promise<void> {
  const stream = client.query(
    copyFrom(`copy ${quoted(table)} (${APPEND_ONLY[table].columnNames.map(quoted).join(', ')}) from stdin`),
  )
  return pipeline(Readable.from(joinTexts(texts)), stream)
}

/** What the connection holds at a time: whole tables of a batch would each be held as text, as bytes and as messages. */
const COPY_CHARS = 256 * 1024

function* joinTexts(texts: readonly string[]): Generator<Buffer> {
  let from = 0
  let chars = 0
  for (let i = 0; i < texts.length; i++) {
    chars += texts[i]!.length
    if (chars < COPY_CHARS && i < texts.length - 1) continue
    yield Buffer.from(texts.slice(from, i + 1).join(''))
    from = i + 1
    chars = 0
  }
}

export async function writeRows(client: pg.ClientBase, table: AnyTable, { upserts, deletes }: TableChanges): Promise<void> {
  const { name, key } = table.def
  if ((deletes[0]?.length ?? 0) > 0) {
    const arrays = key.map((column: string, i: number) => `$${i + 1}::text[]::${table.def.columns[column]!.pg}[]`)
    const names = key.map(quoted).join(', ')
    await client.query(
      `delete from ${quoted(name)} t using unnest(${arrays.join(', ')}) as k(${names}) where ${matchKey(key)}`,
      deletes,
    )
  }
  if ((upserts[0]?.length ?? 0) === 0) return
  const columns = table.columnNames
  const values = columns.map((column: string, i: number) => `u.c${i}::${table.def.columns[column]!.pg}`)
  const sources = columns.map((_: string, i: number) => `$${i + 1}::text[]`)
  const changed = columns
    .filter((column: string) => !key.includes(column))
    .map((column: string) => `${quoted(column)} = excluded.${quoted(column)}`)
  await client.query(
    `insert into ${quoted(name)} (${columns.map(quoted).join(', ')})
     select ${values.join(', ')} from unnest(${sources.join(', ')}) as u(${columns.map((_: string, i: number) => `c${i}`).join(', ')})
     on conflict (${key.map(quoted).join(', ')}) do ${changed.length > 0 ? `update set ${changed.join(', ')}` : 'nothing'}`,
    upserts,
  )
}

const matchKey = (key: string[]) => key.map((column) => `t.${quoted(column)} = k.${quoted(column)}`).join(' and ')

/** Compare and set: exactly one row must be where we left it. Returns the number of the commit. */
async function moveHead(client: pg.Client, table: AnyTable, { upserts }: TableChanges, expected: ExpectedHead): Promise<number> {
  const columns = table.columnNames
  const values = upserts.map((column) => column[0])
  const cast = (i: number) => `$${i + 1}::text::${table.def.columns[columns[i]!]!.pg}`
  if (expected.height === null) await demandRegistry(client, expected)
  const result =
    expected.height === null
      ? await client.query<{ commit_number: string }>(
          `insert into head (${columns.map(quoted).join(', ')}, registry_version) values (${columns.map((_: string, i: number) => cast(i)).join(', ')}, $${columns.length + 1})
           returning commit_number`,
          [...values, expected.registryVersion],
        )
      : await client.query<{ commit_number: string }>(
          `update head set ${columns.map((column: string, i: number) => `${quoted(column)} = ${cast(i)}`).join(', ')},
             commit_number = commit_number + 1
           where last_height = $${columns.length + 1} and registry_version = $${columns.length + 2}
           returning commit_number`,
          [...values, expected.height, expected.registryVersion],
        )
  if (result.rowCount !== 1)
    throw new HeadMoved('head_moved', 'another writer or a registry change moved the head', { ...expected })
  return Number(result.rows[0]!.commit_number)
}

/** Before the first block there is no version that could have moved: rollups that came in meanwhile are counted, and wait. */
async function demandRegistry(client: pg.Client, expected: ExpectedHead): Promise<void> {
  await client.query('lock table rollup, rollup_provider in share mode')
  const { size } = await readVerified(client)
  await client.query('lock table partitioning in share mode')
  const isPartitioned = (await readLayout(client))?.is_active ?? false
  if (size !== expected.registrySize || isPartitioned !== expected.isPartitioned)
    throw new HeadMoved('head_moved', 'the registry or the partitions changed before the first block', { ...expected })
}
