import type pg from 'pg'
import type { ConsensusValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { decodeUndo } from './undo.ts'

/** The validators as they were after `height`, read from the undo records above it. Nothing is changed. */
export async function readValidatorsAfter(client: pg.ClientBase, state: State, height: number): Promise<ConsensusValidatorRow[]> {
  const table = state.consensusValidator
  const rows = new Map([...table.all()].map((row) => [row.address, { ...row }]))
  const { rows: records } = await client.query<{ payload: Buffer }>(
    'select payload from undo where height > $1 order by height desc',
    [height],
  )
  for (const { payload } of records) {
    for (const [key, before] of decodeUndo(payload).state[table.def.name] ?? []) {
      const row = before && table.decode(before)
      if (row) rows.set(row.address, row)
      else rows.delete(key[0]!.slice(2))
    }
  }
  return [...rows.values()]
}
