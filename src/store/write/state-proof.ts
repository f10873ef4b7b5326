import type pg from 'pg'
import { connectClient } from '../servers/connect.ts'

/** Records of the index that agree with proofs of the state after `height`. */
export type StateProof = { height: number; records: number }

/** One row tells of the last time; what is asked of it is how old it is. */
export async function saveStateProof(client: pg.ClientBase, { height, records }: StateProof): Promise<void> {
  await client.query(
    `insert into state_proof (height, records, proven_at) values ($1, $2, now())
     on conflict ((true)) do update set height = excluded.height, records = excluded.records, proven_at = excluded.proven_at`,
    [height, records],
  )
}

/** Saves the proof where no writing connection is open. */
export async function saveStateProofAt({ url, schema }: { url: string; schema: string }, proof: StateProof): Promise<void> {
  const client = await connectClient(
    url,
    { application_name: `astrolabe audit ${schema}`, connectionTimeoutMillis: 5000 },
    `set search_path to "${schema}"`,
  )
  try {
    await saveStateProof(client, proof)
  } finally {
    await client.end()
  }
}
