import type { Reader } from '../../db.ts'

export type StateProofRow = { height: number; records: number; proven_at: string }

/** When the index last agreed with proofs of the state; undefined when it never did, or when that block was taken back. */
export async function findStateProof(sql: Reader): Promise<StateProofRow | undefined> {
  const [row] = await sql<StateProofRow[]>`
    select p.height, p.records, p.proven_at from state_proof p join head h on p.height <= h.last_height`
  return row
}
