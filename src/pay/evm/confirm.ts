import { type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { Clock } from '../../lib/clock.ts'
import type { Hex } from '../settings.ts'
import { isBatch } from './multicall.ts'
import { askNode, ChainAway, findOnNode, NodeRefused } from './rpc.ts'
import { type ExpectedTransfer, hasTransfer, hasUse } from './token.ts'

export type Outcome =
  | { kind: 'settled'; hash: Hex; gasWei: bigint; block: bigint }
  | { kind: 'reverted'; gasUsed: bigint; gasWei: bigint }
  /** mined, yet the money is not where it should be: somebody has to look */
  | { kind: 'unclear' }
  | { kind: 'pending' }

/** `signal`: the wait is over at once */
export type Wait = { timeoutMs: number; pollMs: number; confirmations: number; clock: Clock; signal: AbortSignal | undefined }

/** Outcome of a transaction that was sent; `pending` when the time is over or the node cannot say. */
export async function awaitOutcome(client: PublicClient, hash: Hex, expected: ExpectedTransfer, wait: Wait): Promise<Outcome> {
  const end = wait.clock.now() + wait.timeoutMs
  for (;;) {
    const receipt = await findReceipt(client, hash).catch(toPending)
    if (receipt && (await isDeep(client, receipt, wait.confirmations))) return judge(receipt, hash, expected)
    if (wait.signal?.aborted || wait.clock.now() + wait.pollMs > end) return { kind: 'pending' }
    await wait.clock.sleep(wait.pollMs, wait.signal).catch(() => {}) // aborted: one last look
  }
}

/** A node that is away says nothing about the transaction: keep waiting. */
function toPending(error: unknown): undefined {
  if (error instanceof ChainAway || error instanceof NodeRefused) return undefined
  throw error
}

export function findReceipt(client: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  return findOnNode(() => client.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError)
}

async function isDeep(client: PublicClient, receipt: TransactionReceipt, confirmations: number): Promise<boolean> {
  if (confirmations <= 1) return true
  const head = await askNode(() => client.getBlockNumber({ cacheTime: 0 })).catch(toPending)
  return head !== undefined && head - receipt.blockNumber + 1n >= BigInt(confirmations)
}

function judge(receipt: TransactionReceipt, hash: Hex, expected: ExpectedTransfer): Outcome {
  const gasWei = costOf(receipt)
  if (receipt.status !== 'success') return { kind: 'reverted', gasUsed: receipt.gasUsed, gasWei }
  // One of several in a transaction: it may have failed by itself.
  if (isBatch(receipt.to) && !hasUse(receipt.logs, expected)) return { kind: 'reverted', gasUsed: receipt.gasUsed, gasWei }
  // Transfers of one payer and price look all the same: which authorization was used tells them apart.
  const isOurs = hasTransfer(receipt.logs, expected) && (expected.nonce === undefined || hasUse(receipt.logs, expected))
  return isOurs ? { kind: 'settled', hash, gasWei, block: receipt.blockNumber } : { kind: 'unclear' }
}

/** Gas, and on chains that publish their data on another one the share of that, which their nodes add to the receipt. */
function costOf(receipt: TransactionReceipt & { l1Fee?: string | bigint | null }): bigint {
  return receipt.gasUsed * (receipt.effectiveGasPrice ?? 0n) + BigInt(receipt.l1Fee ?? 0)
}
