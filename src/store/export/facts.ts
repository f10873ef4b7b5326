import { OperatorError } from '../../lib/errors.ts'
import type { Db } from '../db.ts'
import { startColumns } from '../read/head/head.ts'

export type ExportFacts = {
  chain_id: string
  genesis_hash: string
  first_height: number
  last_height: number
  has_state: boolean
}

/** Which chain an index holds, and from where to where; what was detached is not there to be exported. */
export async function readExportFacts(sql: Db): Promise<ExportFacts> {
  const [row] = await sql<(ExportFacts & { kept_from: number })[]>`
    select h.chain_id, encode(h.genesis_hash, 'hex') as genesis_hash, h.last_height, ${startColumns(sql)},
           coalesce((select kept_from from partitioning), 0) as kept_from
    from head h cross join index_start s`
  if (!row) throw new OperatorError('nothing_indexed', 'no block is indexed yet: there is nothing to export')
  const { kept_from: keptFrom, ...facts } = row
  return { ...facts, first_height: Math.max(facts.first_height, keptFrom) }
}
