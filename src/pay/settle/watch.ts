import type { Logger } from 'pino'
import type { LedgerDb } from '../../store/pay/db.ts'
import {
  hasWatched,
  listDeep,
  listTakenBack,
  markFinal,
  markTakenBack,
  moveSettled,
  type WatchedRow,
} from '../../store/pay/watch.ts'
import { findReceipt } from '../evm/confirm.ts'
import { askNode } from '../evm/rpc.ts'
import { type EvmSettler, sendSigned } from '../evm/settler.ts'
import { hasTransfer } from '../evm/token.ts'
import type { TokenChain } from '../evm/token-chain.ts'
import type { PayMetrics } from '../metrics.ts'
import type { Hex, PaySettings } from '../settings.ts'
import { fromBytes, nonceOf } from './ledger-facts.ts'

export type WatchDeps = {
  db: LedgerDb
  settings: PaySettings
  chain: TokenChain
  /** whoever else has sent a transaction sends it again */
  settler?: EvmSettler | undefined
  metrics: Pick<PayMetrics, 'takenBack' | 'sentAgain'>
  log: Logger
}

/**
 * The payment chain may take back the block of a payment whose answer is out. Its signed transaction is kept and sent again, with the
 * same nonce, so nothing else can take its place; what comes back no more is counted.
 */
export async function watchSettled(deps: WatchDeps): Promise<void> {
  const { db, chain, settler } = deps
  const { chainId } = chain.settings
  if (!(await hasWatched(db, chainId))) return
  if (settler) await sendTakenBack(deps, settler)
  const head = await askNode(() => chain.client.getBlockNumber({ cacheTime: 0 }))
  const due = await listDeep(db, chainId, Number(head) - deps.settings.watchBlocks + 1)
  const final: string[] = []
  for (const row of due) if (await isFinal(deps, row, head)) final.push(row.key)
  if (final.length > 0) await markFinal(db, final)
}

async function sendTakenBack({ db, metrics, log }: WatchDeps, settler: EvmSettler): Promise<void> {
  const rows = await listTakenBack(db, settler.settings.chainId, settler.address, await settler.countTransactions('latest'))
  for (const row of rows) await sendSigned(settler.client, fromBytes(row.raw_tx!))
  if (rows.length === 0) return
  metrics.sentAgain(rows.length)
  log.warn({ payments: rows.length }, 'the payment chain was reorganized: payments that it dropped were sent again')
}

/** At the watched depth: the transfer is there for good, or is looked for, or is lost. */
async function isFinal(deps: WatchDeps, row: WatchedRow, head: bigint): Promise<boolean> {
  const { db, chain, settings } = deps
  const expected = expectedOf(row, chain)
  const receipt = await findReceipt(chain.client, row.tx_hash as Hex)
  if (receipt?.status === 'success' && hasTransfer(receipt.logs, expected)) {
    if (head - receipt.blockNumber + 1n >= BigInt(settings.watchBlocks)) return true
    await moveSettled(db, row.key, { txHash: row.tx_hash, block: Number(receipt.blockNumber) })
    return false
  }
  const use = { ...expected, nonce: nonceOf(row.key)! }
  const found = (await chain.isUsed(use)) ? await chain.findUse(use, { ageS: row.age_s, confirmations: 1 }) : undefined
  if (found) {
    await moveSettled(db, row.key, { txHash: found.hash, block: Number(found.block) })
    return false
  }
  await giveUpWhenOver(deps, row, receipt !== undefined)
  return false
}

async function giveUpWhenOver({ db, chain, metrics, log }: WatchDeps, row: WatchedRow, hasFailed: boolean): Promise<void> {
  const { timestamp } = await askNode(() => chain.client.getBlock())
  if (!hasFailed && Number(timestamp) <= row.valid_before_s) {
    if (row.raw_tx) await sendSigned(chain.client, fromBytes(row.raw_tx))
    return
  }
  if (!(await markTakenBack(db, row.key))) return
  metrics.takenBack(row.tier, BigInt(row.amount))
  log.error(
    { key: row.key, amount: row.amount },
    'a payment was lost: the payment chain was reorganized after its answer had been delivered, and it cannot be sent again',
  )
}

function expectedOf(row: WatchedRow, { settings }: TokenChain) {
  return { token: settings.token, from: row.payer as Hex, to: row.recipient as Hex, value: BigInt(row.amount) }
}
