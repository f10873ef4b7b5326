import { type Db, type Reader, snapshot } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'
import type { Value } from '../sql/statement.ts'
import type { UndoRecord } from '../state/table.ts'
import { decodeUndo } from '../write/undo.ts'
import type { Row, StateDataset, StateTableDef } from './dataset.ts'

/** State as it was after `height`: rows of its datasets in pieces. */
export type FinalState = { height: number; read: (dataset: StateDataset) => AsyncGenerator<Row[]> }

const ROWS_AT_ONCE = 1000

/**
 * The state after a final height, by the previous values that the undo records above it hold; all datasets show the same moment. Heights without a
 * record cannot be taken back, so where the records reach less far the state is that of the height below the lowest of them.
 */
export function withFinalState<T>(db: Db, final: number, work: (state: FinalState) => Promise<T>): Promise<T> {
  return snapshot(db, async (sql) => {
    // Files are written while the snapshot is held.
    await sql`set local idle_in_transaction_session_timeout = 0`
    const { height, previous } = await readUndone(sql, final)
    const at = (table: StateTableDef) => tableAt(sql, table, previous.get(table.name) ?? new Map())
    return work({ height, read: (dataset) => readPieces(sql, dataset.selectState(sql, at)) })
  })
}

/** Previous rows by table and id; null where there was none. */
type Undone = { height: number; previous: Map<string, Map<string, UndoRecord[1]>> }

async function readUndone(sql: Reader, final: number): Promise<Undone> {
  const records = await sql<{ height: number; payload: Uint8Array }[]>`
    select height, payload from undo where height > ${final} order by height desc`
  const [head] = await sql<{ last_height: number }[]>`select last_height from head`
  const previous: Undone['previous'] = new Map()
  let height = head!.last_height
  for (const { height: undone, payload } of records) {
    if (undone !== height) break
    for (const [table, rows] of Object.entries(decodeUndo(payload).state)) {
      const known = previous.get(table) ?? new Map<string, UndoRecord[1]>()
      for (const [[id], before] of rows) known.set(id!, before)
      previous.set(table, known)
    }
    height--
  }
  return { height, previous }
}

/** A table whose key is `id`, with the rows that changed since as they were. Records hold the columns in the order of the definition. */
function tableAt(sql: Reader, { name, columns }: StateTableDef, previous: ReadonlyMap<string, UndoRecord[1]>): Fragment {
  const toRow = (before: (string | null)[]) =>
    Object.fromEntries(
      Object.entries(columns).map(([column, { pg }], i) => {
        const text = before[i] ?? null
        return [column, pg === 'jsonb' && text !== null ? JSON.parse(text) : text]
      }),
    )
  const rows = [...previous.values()].flatMap((before) => (before ? [toRow(before)] : []))
  return sql`(
    select * from ${sql(name)} where id <> all(${[...previous.keys()]}::bigint[])
    union all
    select * from json_populate_recordset(null::${sql(name)}, ${JSON.stringify(rows)}::json))`
}

async function* readPieces(sql: Reader, statement: Fragment): AsyncGenerator<Row[]> {
  const { text, values } = statement.toQuery()
  await sql.unsafe(`declare state_rows no scroll cursor for ${text}`, values as Value[])
  for (;;) {
    const rows = await sql.unsafe<Row[]>(`fetch ${ROWS_AT_ONCE} from state_rows`)
    if (rows.length === 0) break
    yield rows
  }
  await sql.unsafe('close state_rows')
}
