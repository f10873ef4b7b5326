import type pg from 'pg'
import type { ConsensusValidatorRow } from '../state/staking-tables.ts'
import type { State } from '../state/state.ts'
import { readUndosAbove } from './undo-steps.ts'

/** The validators as they were after `height`, read from the undo records above it. Nothing is changed. */
export async function readValidatorsAfter(client: pg.ClientBase, state: State, height: number): Promise<ConsensusValidatorRow[]> {
  const table = state.consensusValidator
  const rows = new Map([...table.all()].map((row) => [row.address, { ...row }]))
  for await (const undo of readUndosAbove(client, height)) {
    for (const [key, before] of undo.state[table.def.name] ?? []) {
      const row = before && table.decode(before)
      if (row) rows.set(row.address, row)
      else rows.delete(key[0]!.slice(2))
    }
  }
  return [...rows.values()]
}
