import type pg from 'pg'
import type { ConsensusValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import type { TableChanges } from '../state/table.ts'
import { HeadMoved, writeRows } from './commit.ts'
import { decodeUndo, packUndo } from './undo.ts'

/**
 * Writes the two validator sets that follow the head, in place of those that the index has. What is below the head was written without them:
 * whoever takes the head back takes them back too, and they have to be learned once more.
 */
export async function writeLearnedValidators(
  client: pg.Client,
  state: State,
  height: number,
  rows: readonly ConsensusValidatorRow[],
): Promise<void> {
  const table = state.consensusValidator
  const before = new Map([...table.all()].map((row) => [row.address, row]))
  const after = new Map(rows.map((row) => [row.address, row]))
  const gone = [...before.keys()].filter((address) => !after.has(address))
  const changes: TableChanges = { upserts: table.columnNames.map(() => []), deletes: [gone.map(toKeyText)] }
  for (const row of rows) for (const [i, text] of table.encode(row).entries()) changes.upserts[i]!.push(text)
  await client.query('begin')
  try {
    const head = await client.query<{ last_height: number }>('select last_height from head for update')
    if (head.rows[0]?.last_height !== height) throw new HeadMoved('head_moved', 'another writer moved the head', { height })
    await writeRows(client, table, changes)
    const { rows: records } = await client.query<{ payload: Buffer }>('select payload from undo where height = $1', [height])
    for (const { payload } of records) {
      const undo = decodeUndo(payload)
      const known = new Set((undo.state[table.def.name] ?? []).map(([key]) => key[0]))
      const added = [...new Set([...before.keys(), ...after.keys()])].filter((address) => !known.has(toKeyText(address)))
      undo.state[table.def.name] = [
        ...(undo.state[table.def.name] ?? []),
        ...added.map((address): [string[], (string | null)[] | null] => {
          const row = before.get(address)
          return [[toKeyText(address)], row ? table.encode(row) : null]
        }),
      ]
      await client.query('update undo set payload = $2 where height = $1', [height, packUndo(undo)])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const toKeyText = (address: string) => `\\x${address}`
