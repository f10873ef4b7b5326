import type pg from 'pg'
import { OperatorError } from '../../lib/errors.ts'
import { APPEND_ONLY } from '../pack/append-only.ts'
import type { Link, LinkOwners } from '../pack/copy-table.ts'
import { firstId } from '../pack/id.ts'
import { countCommit } from '../servers/head-notice.ts'
import type { State } from '../state/state.ts'
import type { TableChanges } from '../state/table.ts'
import { writeRows } from './commit.ts'
import { decodeUndo, type Undo } from './undo.ts'

/**
 * Takes back every height above `height`, in one transaction: state rows get the values they had, appended rows go. The writer's
 * memory is stale afterwards and has to be loaded again.
 */
export async function revertTo(client: pg.Client, state: State, schema: string, height: number): Promise<void> {
  await client.query('begin')
  try {
    // First of all: a change of the rollup registry rewrites undo records under this lock.
    const head = await client.query<{ last_height: number }>('select last_height from head for update')
    const { rows } = await client.query<{ height: number; payload: Buffer }>(
      'select height, payload from undo where height > $1 order by height desc',
      [height],
    )
    const lastHeight = head.rows[0]?.last_height ?? -1
    if (lastHeight - height !== rows.length)
      throw new OperatorError(
        'undo_missing',
        `cannot roll back from ${lastHeight} to ${height}: undo records reach back ${rows.length} heights`,
        {
          lastHeight,
          height,
        },
      )
    const undos = rows.map(({ payload }) => decodeUndo(payload))
    for (const table of state.tables())
      await writeRows(client, table, previousRows(table.def.name, undos, table.columnNames.length, table.def.key.length))
    for (const [table, { link }] of Object.entries(APPEND_ONLY)) {
      if (link) await deleteLinks(client, table, link, undos, height)
      else await client.query(`delete from "${table}" where height > $1`, [height])
    }
    await client.query('delete from undo where height > $1', [height])
    await countCommit(client, schema)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** The oldest record of a row wins: heights come newest first, later ones overwrite. */
function previousRows(table: string, undos: Undo[], columns: number, keyColumns: number): TableChanges {
  const previous = new Map<string, { key: string[]; before: (string | null)[] | null }>()
  for (const undo of undos) for (const [key, before] of undo.state[table] ?? []) previous.set(key.join('\u001f'), { key, before })
  const upserts: (string | null)[][] = Array.from({ length: columns }, () => [])
  const deletes: (string | null)[][] = Array.from({ length: keyColumns }, () => [])
  for (const { key, before } of previous.values()) {
    if (before) for (let i = 0; i < columns; i++) upserts[i]!.push(before[i] ?? null)
    else for (let i = 0; i < keyColumns; i++) deletes[i]!.push(key[i]!)
  }
  return { upserts, deletes }
}

async function deleteLinks(
  client: pg.Client,
  table: string,
  { owner, id, owners, within }: Link,
  undos: Undo[],
  height: number,
): Promise<void> {
  // Records of an older program do not name the owners of newer tables: it wrote no rows there.
  const valuesOf = (list: LinkOwners) => [...new Set(undos.flatMap((undo) => undo[list] ?? []))]
  const values = [valuesOf(owners), firstId(height + 1), ...(within ? [valuesOf(within.values)] : [])]
  const narrowed = within ? `and ${within.column} = any($3)` : ''
  await client.query(`delete from "${table}" where ${owner} = any($1) ${narrowed} and ${id} >= $2`, values)
}
