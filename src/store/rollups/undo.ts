import type pg from 'pg'
import { createRollupAggregate } from '../aggregate/rollup.ts'
import { type BlockInput, noChanges } from '../families/family.ts'
import { createRollupsFamily, RollupRegistry } from '../families/rollups.ts'
import { RowSink } from '../families/row-sink.ts'
import { firstId } from '../pack/id.ts'
import { blockBucketTable } from '../state/block-series-tables.ts'
import { bucketsOf } from '../state/bucket.ts'
import { decFromText, decToText } from '../state/column.ts'
import { rollupBucketTable, rollupNamespaceTable } from '../state/owner-series-tables.ts'
import { rollupStatsTable } from '../state/rollup-tables.ts'
import { State } from '../state/state.ts'
import type { StateTable, UndoRecord } from '../state/table.ts'
import { createFamilies } from '../write/families.ts'
import { decodeUndo, packUndo, type Undo } from '../write/undo.ts'

type Blob = {
  id: number
  time: string
  size: number
  fee: bigint
  message: number
  signer: string
  namespace: string
  namespaceId: number
}

const ROLLUP_TABLES = ['rollup_stats', 'rollup_bucket', 'rollup_namespace']
const TOTALS = ['rollup_blobs_count', 'rollup_blobs_size', 'rollup_blobs_fee'] as const

/**
 * Makes the rollup parts of the undo records as the writer would have made them with the registry of now: the heights that can still
 * be rolled back are gone through once more with the writer's own families, from the state they began with. `changed` has the rows that
 * every changed rollup had before the first of these heights.
 */
export async function rewriteUndo(
  client: pg.ClientBase,
  registry: RollupRegistry,
  changed: ReadonlyMap<number, RollupRows>,
): Promise<void> {
  const { rows } = await client.query<{ height: number; payload: Buffer }>('select height, payload from undo order by height')
  // Steps reach too far back to be gone through: the index cannot be taken back beyond single heights until new ones are there.
  await client.query('delete from undo_step')
  const first = rows[0]
  if (!first) return
  const undos = rows.map(({ height, payload }) => ({ height, undo: decodeUndo(payload) }))
  const blobs = await readBlobs(client, first.height)
  const state = new State()
  const families = [createRollupsFamily(state, () => registry), createRollupAggregate(state, () => registry)]
  const tables = new Map([...state.tables()].map((table) => [table.def.name, table]))
  for (const name of ROLLUP_TABLES) adoptUnchanged(tables.get(name)!, undos, changed)
  for (const rows of changed.values())
    for (const name of ROLLUP_TABLES) for (const row of rows[name] ?? []) tables.get(name)!.adopt(row)
  for (const found of blobs.values()) adoptAbsent(tables, found, registry)
  const totals = await totalsBefore(client, blobs, registry)

  const order = tableOrder()
  for (const { height, undo } of undos) {
    const found = blobs.get(height) ?? []
    const input = toInput(height, found)
    state.beginHeight(height)
    for (const family of families) family.apply!(input)
    const made = state.takeUndo()
    const next = { ...undo.state, ...made }
    for (const name of ROLLUP_TABLES) if (!made[name]) delete next[name]
    if (next.block_bucket) next.block_bucket = next.block_bucket.map((record) => withTotals(record, totals))
    addTotals(totals, found, registry)
    const rollups = [...new Set((input.rollupLinks ?? []).map(([rollup]) => rollup))]
    const ordered = Object.fromEntries(order.filter((name) => next[name]).map((name) => [name, next[name]!]))
    const payload = packUndo({ ...undo, state: ordered, rollups })
    await client.query('update undo set payload = $2 where height = $1', [height, payload])
  }
}

/** Undo records name their tables in the order in which the families register them. */
function tableOrder(): string[] {
  const state = new State()
  createFamilies(state, () => new RollupRegistry(0, []))
  return [...state.tables()].map(({ def }) => def.name)
}

async function readBlobs(client: pg.ClientBase, fromHeight: number): Promise<Map<number, Blob[]>> {
  const { rows } = await client.query<{
    height: number
    id: string
    time: string
    size: number
    fee: string
    message_id: string
    signer: Buffer
    version: number
    namespace: Buffer
    namespace_id: number
  }>(
    `select b.height, b.id, to_char(b.time, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time, b.size, b.fee, b.message_id, a.address as signer,
            n.version, n.namespace_id as namespace, b.namespace_id
     from blob b
     join address a on a.id = b.signer_id
     join namespace n on n.id = b.namespace_id
     where b.height >= $1
     order by b.height, b.id`,
    [fromHeight],
  )
  const byHeight = new Map<number, Blob[]>()
  for (const row of rows) {
    const blob = {
      id: Number(row.id),
      time: row.time,
      size: row.size,
      fee: decFromText(row.fee),
      message: Number(row.message_id),
      signer: row.signer.toString('hex'),
      namespace: Buffer.from([row.version]).toString('hex') + row.namespace.toString('hex'),
      namespaceId: row.namespace_id,
    }
    const blobs = byHeight.get(row.height)
    if (blobs) blobs.push(blob)
    else byHeight.set(row.height, [blob])
  }
  return byHeight
}

/** As much of a block as the rollup families look at. */
function toInput(height: number, blobs: Blob[]): BlockInput {
  const time = blobs[0]?.time ?? ''
  const block = {
    height,
    time,
    addresses: blobs.map(({ signer }) => signer),
    namespaces: blobs.map(({ namespace }) => namespace),
    blobs: blobs.map(({ size, fee, message }, index) => ({ signer: index, namespace: index, size, fee, message })),
  }
  return {
    block: block as unknown as BlockInput['block'],
    height,
    time,
    firstId: firstId(height),
    addressIds: [],
    namespaceIds: blobs.map(({ namespaceId }) => namespaceId),
    accountId: () => 0,
    changed: noChanges(),
    rows: new RowSink(),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: rows of unlike tables, used through their definitions
type AnyTable = StateTable<any>
type Tables = Map<string, AnyTable>

/** Rows of the other rollups as they were before the first height: their oldest record says it. */
function adoptUnchanged(table: AnyTable, undos: { undo: Undo }[], changed: ReadonlyMap<number, RollupRows>): void {
  const rollup = table.def.key.indexOf('rollup_id')
  for (const { undo } of undos)
    for (const [key, before] of undo.state[table.def.name] ?? []) {
      if (changed.has(Number(key[rollup]))) continue
      if (before) table.adopt(before)
      else table.adoptAbsent(table.key(...key))
    }
}

/** Rows of a rollup by table, each with its values as text. */
export type RollupRows = Record<string, (string | null)[][]>

/** What is counted for a rollup at this moment, as far as the heights that can be taken back may change it. */
export async function readRollupRows(client: pg.ClientBase, rollupId: number): Promise<RollupRows> {
  const found: RollupRows = {}
  for (const { name, columns } of [rollupStatsTable, rollupBucketTable, rollupNamespaceTable]) {
    const recent =
      name === 'rollup_bucket'
        ? `and time >= (select date_trunc('month', time) from block where height = (select min(height) from undo))`
        : ''
    const values = Object.keys(columns).map((column) => `${column}::text`)
    const { rows } = await client.query<(string | null)[]>({
      text: `select ${values.join(', ')} from ${name} where rollup_id = $1 ${recent}`,
      values: [rollupId],
      rowMode: 'array',
    })
    found[name] = rows
  }
  return found
}

/** Whatever the heights will touch and did not exist before them. */
function adoptAbsent(tables: Tables, blobs: Blob[], registry: RollupRegistry): void {
  const [stats, buckets, namespaces] = ROLLUP_TABLES.map((name) => tables.get(name)!)
  for (const blob of blobs)
    for (const rollupId of registry.match(blob.signer, blob.namespace)) {
      stats!.adoptAbsent(stats!.key(rollupId))
      for (const [frame, start] of bucketsOf(blob.time).framed) buckets!.adoptAbsent(buckets!.key(rollupId, frame, start))
      namespaces!.adoptAbsent(namespaces!.key(blob.namespaceId, rollupId))
    }
}

type Totals = Map<string, { count: number; size: number; fee: bigint }>

const totalsKey = (frame: number | string, time: string) => `${frame} ${time}`

/** What the buckets of all rollups together held before the first height: what they hold now less what the heights brought. */
async function totalsBefore(client: pg.ClientBase, blobs: Map<number, Blob[]>, registry: RollupRegistry): Promise<Totals> {
  const brought: Totals = new Map()
  for (const found of blobs.values()) addTotals(brought, found, registry)
  const { rows } = await client.query<{ frame: number; time: string; count: string; size: string; fee: string }>(
    `select frame, to_char(time, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time, rollup_blobs_count as count, rollup_blobs_size as size,
            rollup_blobs_fee as fee
     from block_bucket
     where time >= (select date_trunc('month', min(b.time)) from block b where b.height >= (select min(height) from undo))`,
  )
  return new Map(
    rows.map(({ frame, time, count, size, fee }) => {
      const part = brought.get(totalsKey(frame, time))
      return [
        totalsKey(frame, time),
        {
          count: Number(count) - (part?.count ?? 0),
          size: Number(size) - (part?.size ?? 0),
          fee: decFromText(fee) - (part?.fee ?? 0n),
        },
      ]
    }),
  )
}

function addTotals(totals: Totals, blobs: Blob[], registry: RollupRegistry): void {
  for (const { signer, namespace, time, size, fee } of blobs) {
    if (registry.match(signer, namespace).length === 0) continue
    for (const [frame, start] of bucketsOf(time).framed) {
      const key = totalsKey(frame, start)
      const sum = totals.get(key) ?? { count: 0, size: 0, fee: 0n }
      totals.set(key, { count: sum.count + 1, size: sum.size + size, fee: sum.fee + fee })
    }
  }
}

const BLOCK_COLUMNS = Object.keys(blockBucketTable.columns)

function withTotals([key, before]: UndoRecord, totals: Totals): UndoRecord {
  if (!before) return [key, before]
  const [frame = '', time = ''] = key
  const sum = totals.get(totalsKey(frame, time))
  const values = sum ? [String(sum.count), String(sum.size), decToText(sum.fee)] : ['0', '0', decToText(0n)]
  const next = [...before]
  for (const [i, column] of TOTALS.entries()) next[BLOCK_COLUMNS.indexOf(column)] = values[i]!
  return [key, next]
}
