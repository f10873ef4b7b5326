import type { SqlPool } from '../../store/db.ts'
import { dropBroadcast, type PaymentRow, recordReplacement } from '../../store/pay/ledger.ts'
import { closeGap } from '../../store/pay/nonces.ts'
import { findReceipt } from '../evm/confirm.ts'
import { countCalls } from '../evm/multicall.ts'
import { ChainAway } from '../evm/rpc.ts'
import { type EvmSettler, sendSigned } from '../evm/settler.ts'
import type { Found, TokenChain } from '../evm/token-chain.ts'
import type { Settled } from '../rails/payment.ts'
import type { Hex } from '../settings.ts'
import { fromBytes, nonceOf, toBytes } from './ledger-facts.ts'

export type StuckDeps = {
  db: SqlPool
  settler: EvmSettler
  /** the transaction by which anyone has used the row's authorization, when it brought us the money */
  findUse: () => Promise<Found | undefined>
}

/** A transaction may take a few blocks before anything is done about it. */
const PATIENCE_S = 30
/** Nodes behind one address may lag: that another transaction has used a nonce is believed after that long. */
const DOUBT_S = 60

/**
 * A transfer that is sent and not mined (nonces are mined in order, so one that is stuck holds up all behind it): its
 * fees are raised, a nonce missing before it is filled, and when its own nonce is gone the payment is free again. Whatever is
 * done, the authorization inside can be used once.
 */
export async function moveOn(deps: StuckDeps, row: PaymentRow, holder: string): Promise<Settled> {
  const { settler } = deps
  const pending: Settled = { kind: 'pending', hash: row.tx_hash as Hex }
  const nonce = row.settler_nonce
  // Another replica's key, or one that was replaced: all that is left is to know when the authorization is over.
  if (row.settler !== settler.address || nonce === null) return (await isOver(settler, row)) ? giveUp(row) : pending
  const mined = await settler.countTransactions('latest')
  if (nonce < mined) return passOver(deps, row, holder, pending)
  if (row.waiting_s < PATIENCE_S) return pending
  if (nonce === mined) return outbid(deps, row, holder, pending)
  await fillBefore(deps, nonce)
  return pending
}

/** Its nonce is used: by itself, by a version with other fees, or by a transaction that has nothing to do with it. */
async function passOver(
  { db, settler, findUse }: StuckDeps,
  row: PaymentRow,
  holder: string,
  pending: Settled,
): Promise<Settled> {
  // Mined and not deep enough, or not what it should be: that is judged elsewhere.
  if (await findReceipt(settler.client, row.tx_hash as Hex)) return pending
  const used = await findUse()
  if (used) return { kind: 'settled', ...used, gasWei: undefined }
  if (row.waiting_s < DOUBT_S) return pending
  await dropBroadcast(db, row.key, holder)
  return { kind: 'failed' }
}

async function outbid({ db, settler }: StuckDeps, row: PaymentRow, holder: string, pending: Settled): Promise<Settled> {
  const raw = fromBytes(row.raw_tx!)
  const raised = await settler.outbid(raw, BigInt(row.amount) * BigInt(countCalls(raw)))
  if (!raised) return pending
  const stored = { hash: raised.hash, raw: toBytes(raised.raw) }
  if (!(await recordReplacement(db, row.key, holder, stored))) return { kind: 'lost' }
  await sendSigned(settler.client, raised.raw)
  return { kind: 'pending', hash: raised.hash }
}

/** Puts an empty transaction where none of ours stands: a refused or lost one. */
async function fillBefore({ db, settler }: StuckDeps, nonce: number): Promise<void> {
  const next = await settler.countTransactions('pending')
  if (next >= nonce || !(await closeGap(db, settler.settings.chainId, settler.address, next))) return
  await sendSigned(settler.client, await settler.signNothing(next))
}

/** Whether the row's authorization can no longer be used. */
export function isOver(chain: TokenChain, row: PaymentRow): Promise<boolean> {
  return chain.isOver({ from: row.payer as Hex, nonce: nonceOf(row.key)! }, row.valid_before_s)
}

export function giveUp(row: PaymentRow): Settled {
  return { kind: 'refused', reason: 'expired', hash: (row.tx_hash ?? undefined) as Hex | undefined, gasWei: 0n }
}

/** A node that is away changes nothing: what was sent stays sent. */
export function orPending(row: PaymentRow): (error: unknown) => Settled {
  return (error) => {
    if (error instanceof ChainAway) return { kind: 'pending', hash: row.tx_hash as Hex }
    throw error
  }
}
