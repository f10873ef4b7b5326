import { AstrolabeError, Invariant } from '../../lib/errors.ts'
import type { SqlPool } from '../db.ts'
import type { Sql } from '../sql/statement.ts'
import type { SignedTx } from './ledger.ts'
import { step } from './states.ts'

/**
 * Nonces of the transactions that a settler's key signs. They are allocated here, so that replicas may share one key; the lock on the
 * key's row is what keeps two payments from getting the same one.
 */

/**
 * A settler's next nonce, from what the chain has counted. Behind nonces of transactions that may still be sent it never
 * goes back; with none of them open the chain's count is the truth (a test chain may have been started again).
 */
export async function announceSettler(sql: SqlPool, chainId: number, settler: string, chainCount: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into payment_settler (chain_id, address, next_nonce)
      values (${chainId}, ${settler}, ${chainCount})
      on conflict do nothing`
    // Lock first, look after: who allocated a nonce meanwhile has also stored its transaction.
    await tx`select from payment_settler where chain_id = ${chainId} and address = ${settler} for update`
    // A nonce is free, or comes after all that were allocated: never both, or two payments would get it.
    await tx`
      update payment_settler
      set next_nonce = known.next, free_nonces = array(
            select n from unnest(free_nonces) n where n >= ${chainCount}::bigint and n < known.next order by n)
      from (
        select greatest(${chainCount}::bigint, max(settler_nonce) + 1) as next
        from payment
        where chain_id = ${chainId} and settler = ${settler} and ${mayBeSent(tx)}
      ) known
      where chain_id = ${chainId} and address = ${settler}`
  })
}

/** Transactions on their way, and those of the last day that the chain may still take back. */
const mayBeSent = (tx: Sql) => tx`
  (state = 'broadcast' or (settled_at > now() - interval '1 day' and settled_block is not null and final_at is null))`

/** A payment, and who works on it. */
export type Claim = { key: string; holder: string }

class ClaimLost extends AstrolabeError {}

/**
 * Gives the settler's next nonce to `sign` and keeps what it signed, in one transaction: a nonce is used up only together with a
 * stored transaction that anyone can send, so a crash leaves no gap. Of several claims all are kept, or none when one was lost.
 */
export async function recordBroadcast(
  sql: SqlPool,
  { claims, chainId, settler }: { claims: readonly Claim[]; chainId: number; settler: string },
  sign: (nonce: number) => Promise<SignedTx>,
): Promise<SignedTx | undefined> {
  const [keys, holders] = [claims.map(({ key }) => key), claims.map(({ holder }) => holder)]
  try {
    return await sql.begin(async (tx) => {
      const nonce = await allocateNonce(tx, chainId, settler)
      const signed = await sign(nonce)
      const rows = await tx`
        update payment
        set ${step('sign').set}, settler = ${settler}, settler_nonce = ${nonce}, tx_hash = ${signed.hash}, raw_tx = ${signed.raw},
            broadcast_at = now()
        where (key, holder::text) in (select * from unnest(${keys}::text[], ${holders}::text[]))
          and ${step('sign').where}
        returning key`
      // Rolls back: the nonce stays free.
      if (rows.length < claims.length) throw new ClaimLost('claim_lost', 'another process took the claim')
      return signed
    })
  } catch (error) {
    if (error instanceof ClaimLost) return undefined
    throw error
  }
}

async function allocateNonce(tx: Sql, chainId: number, settler: string): Promise<number> {
  const [row] = await tx<{ next_nonce: number; free_nonces: number[] }[]>`
    select next_nonce, free_nonces
    from payment_settler
    where chain_id = ${chainId} and address = ${settler}
    for update`
  if (!row) throw new Invariant('unknown_settler', 'a settler was not announced', { settler, chainId })
  const free = row.free_nonces[0]
  await tx`
    update payment_settler
    set next_nonce = ${free === undefined ? row.next_nonce + 1 : row.next_nonce}, free_nonces = free_nonces[2:]
    where chain_id = ${chainId} and address = ${settler}`
  return free ?? row.next_nonce
}

/** Takes a nonce out of use that no open payment has. False when one has it. */
export async function closeGap(sql: SqlPool, chainId: number, settler: string, nonce: number): Promise<boolean> {
  return sql.begin(async (tx) => {
    await tx`select from payment_settler where chain_id = ${chainId} and address = ${settler} for update`
    const taken = await tx`
      select from payment
      where chain_id = ${chainId} and settler = ${settler} and settler_nonce = ${nonce} and ${mayBeSent(tx)}`
    if (taken.length > 0) return false
    await tx`
      update payment_settler
      set next_nonce = greatest(next_nonce, ${nonce}::bigint + 1), free_nonces = array_remove(free_nonces, ${nonce}::bigint)
      where chain_id = ${chainId} and address = ${settler}`
    return true
  })
}

/** The chain refused the transaction for good: row and nonce are free again. */
export async function releaseBroadcast(
  sql: SqlPool,
  row: { key: string; holder: string; chainId: number; settler: string; nonce: number },
): Promise<void> {
  await sql.begin(async (tx) => {
    const gone = await tx`
      delete from payment
      where key = ${row.key} and holder = ${row.holder} and state = 'broadcast'
      returning key`
    if (gone.length === 0) return
    await tx`
      update payment_settler
      set free_nonces = (select array_agg(n order by n) from unnest(array_append(free_nonces, ${row.nonce}::bigint)) n)
      where chain_id = ${row.chainId} and address = ${row.settler} and not ${row.nonce}::bigint = any (free_nonces)
        -- others that share the transaction have still to give it up
        and not exists (
          select from payment
          where settler = ${row.settler} and settler_nonce = ${row.nonce} and state = 'broadcast')`
  })
}
