import type { PublicClient } from 'viem'
import type { SqlPool } from '../../store/db.ts'
import { listSettled, listSettlers, listUnrecorded, type Period } from '../../store/pay/report.ts'
import { findReceipt } from '../evm/confirm.ts'
import { askNode, openClient } from '../evm/rpc.ts'
import { hasTransfer, TOKEN_ABI } from '../evm/token.ts'
import type { Hex } from '../settings.ts'

/** Where money is taken. */
export type CheckedChain = { rpcUrl: string; moreRpcUrls?: readonly string[] | undefined; token: Hex; recipient: Hex | undefined }

export type LedgerCheck = {
  payments: number
  amount: bigint
  confirmed: number
  /** transactions of the ledger that do not hold the transfer */
  missing: string[]
  /** transfers by our own keys that the ledger does not count */
  unrecorded: string[]
}

/** Ledger and chain must agree to the unit, both ways: what the ledger counts has arrived, and what we moved is counted. */
export async function checkLedger(db: SqlPool, chain: CheckedChain, period: Period, signal?: AbortSignal): Promise<LedgerCheck> {
  const client = openClient({ url: chain.rpcUrl, more: chain.moreRpcUrls, isBatched: true })
  const chainId = await askNode(() => client.getChainId())
  const rows = await listSettled(db, chainId, period)
  const check: LedgerCheck = { payments: rows.length, amount: 0n, confirmed: 0, missing: [], unrecorded: [] }
  for (let at = 0; at < rows.length; at += BATCH) {
    signal?.throwIfAborted()
    const some = rows.slice(at, at + BATCH)
    const receipts = await Promise.all(some.map(({ tx_hash }) => findReceipt(client, tx_hash as Hex)))
    for (const [i, row] of some.entries()) {
      check.amount += BigInt(row.amount)
      const receipt = receipts[i]
      const expected = { token: chain.token, from: row.payer as Hex, to: row.recipient as Hex, value: BigInt(row.amount) }
      if (receipt?.status === 'success' && hasTransfer(receipt.logs, expected)) check.confirmed++
      else check.missing.push(row.tx_hash)
    }
  }
  const settlers = new Set(await listSettlers(db, chainId))
  if (chain.recipient !== undefined && settlers.size > 0)
    for (const hash of await listUnrecorded(db, await listTransfers(client, chain.token, chain.recipient, period, signal))) {
      const { from } = await askNode(() => client.getTransaction({ hash: hash as Hex }))
      // Others may pay the recipient for other things.
      if (settlers.has(from.toLowerCase())) check.unrecorded.push(hash)
    }
  return check
}

/** Receipts that are asked for at once, in one request to the node. */
const BATCH = 100
/** Nodes answer questions about logs for so many blocks at a time. */
const STEP_BLOCKS = 2000n
const DAY_S = 86_400

/** Transactions that brought tokens to the recipient since the first of the days began. */
async function listTransfers(
  client: PublicClient,
  token: Hex,
  recipient: Hex,
  { from, to }: Period,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const head = await askNode(() => client.getBlock())
  const [start, end] = [Date.parse(from) / 1000, Date.parse(to) / 1000 + DAY_S]
  const hashes = new Set<string>()
  const last = Number(head.timestamp) < end ? head.number : (await firstBlockSince(client, head.number, end)) - 1n
  for (let fromBlock = await firstBlockSince(client, head.number, start); fromBlock <= last; ) {
    signal?.throwIfAborted()
    const toBlock = fromBlock + STEP_BLOCKS > last ? last : fromBlock + STEP_BLOCKS - 1n
    const query = { address: token, abi: TOKEN_ABI, eventName: 'Transfer', args: { to: recipient }, fromBlock, toBlock } as const
    for (const log of await askNode(() => client.getContractEvents(query))) hashes.add(log.transactionHash)
    fromBlock = toBlock + 1n
  }
  return [...hashes]
}

async function firstBlockSince(client: PublicClient, head: bigint, seconds: number): Promise<bigint> {
  let [low, high] = [0n, head]
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await askNode(() => client.getBlock({ blockNumber: middle }))
    if (timestamp < BigInt(seconds)) low = middle + 1n
    else high = middle
  }
  return low
}
