import { layoutSquare, type TxShape } from '../decode/square/layout.ts'
import { odsRuns, packOds } from '../decode/square/ods.ts'
import { SIGNER_COUNTED_VERSION } from '../decode/square/square-tx.ts'
import { encodeAddress, moduleAccount } from '../lib/encoding/bech32.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { ChainBlock, ChainEvent } from '../types/chain.ts'
import type { Effect } from '../types/effects.ts'
import type { BlockStats, GasPrices, HeaderFacts, TxFacts } from '../types/facts.ts'
import type { CoinScope } from './cause.ts'
import { findImbalance } from './conservation.ts'
import { constantsOfConsensus } from './constants.ts'
import { EVENT_HANDLERS } from './event/all.ts'
import { BlockFold, toTxScope } from './fold.ts'
import { listEventEffects } from './messages.ts'
import { cutToMicros } from './time.ts'
import { deriveTx } from './tx.ts'

/** Messages of a passed proposal run at the end of a block, and the gov module signs them. */
const GOV = encodeAddress('celestia', moduleAccount('gov'))

/** Derives the facts of one height for the tables. Pure; never fails on contents of the chain. */
export function deriveBlock(block: ChainBlock): BlockFacts {
  const time = cutToMicros(block.time)
  const scope = toTxScope(block, time)
  const fold = new BlockFold()

  const foldBlockEvents = (events: readonly ChainEvent[], actor: string): void => {
    let changesState = false
    const coins: CoinScope = { events, byMessage: () => 'transfer' }
    for (const [at, event] of events.entries()) {
      if (fold.ledger.take(coins, at) || fold.allocation.take(event)) continue
      if (EVENT_HANDLERS.has(event.type)) changesState = true
    }
    if (changesState) fold.emit(listEventEffects({ ...scope, events, typeUrl: '', actor }))
  }

  foldBlockEvents(block.events.slice(0, block.beginEventsCount), '')
  const txs: TxFacts[] = []
  const shapes: TxShape[] = []
  for (const [position, bytes] of block.txs.entries()) {
    const { facts, shape } = deriveTx(bytes, block.txResults[position]!, position, scope, fold)
    txs.push(facts)
    shapes.push(shape)
  }
  foldBlockEvents(block.events.slice(block.beginEventsCount), GOV)
  fold.emit(listBlockEffects(block))

  const layout = layoutSquare(shapes)
  const stats = toStats(block, txs, fold)
  // Before the signer counted, no header tells which release of the layout a proposer ran.
  if (block.versionApp >= SIGNER_COUNTED_VERSION) stats.squareSize = layout.size
  return {
    header: toHeader(block, time),
    stats,
    gasPrices: gasPricesOf(txs, stats.gasLimit, stats.bytesInBlock),
    ods: packOds(odsRuns(layout)),
    events: block.events,
    txs,
    messages: fold.messages,
    addresses: [...fold.addresses],
    namespaces: [...fold.namespaces],
    coins: fold.ledger.coins,
    supply: fold.ledger.listSupply(),
    rewards: fold.allocation.list(),
    effects: fold.effects,
    unknownMessages: Array.from(fold.unknownMessages, ([typeUrl, count]) => ({ typeUrl, count })),
    undecodableTxs: fold.undecodableTxs,
    contradiction: fold.contradiction ?? findImbalance(fold.ledger.coins, fold.ledger.listSupply()),
  }
}

/** Effects that the node reports beside events. Consensus parameters hold from the next block on; nodes may repeat them in every block. */
function listBlockEffects(block: ChainBlock): Effect[] {
  const effects: Effect[] = block.validatorUpdates.map((update) => ({ kind: 'validator-power', ...update }))
  const constants = block.consensusParamUpdates ? constantsOfConsensus(block.consensusParamUpdates) : []
  if (constants.length > 0) effects.push({ kind: 'set-constants', constants })
  return effects
}

function toHeader(block: ChainBlock, time: string): HeaderFacts {
  const signedBy: string[] = []
  for (const { flag, validatorAddress } of block.lastCommit.signatures) if (flag === 2) signedBy.push(validatorAddress)
  return {
    height: block.height,
    time,
    versionBlock: block.versionBlock,
    versionApp: block.versionApp,
    hash: block.hash,
    parentHash: block.parentHash,
    hashes: block.hashes,
    proposer: block.proposerAddress,
    signedBy,
  }
}

function toStats(block: ChainBlock, txs: readonly TxFacts[], { ledger, allocation }: BlockFold): BlockStats {
  let blobsCount = 0
  let blobsSize = 0
  let gasLimit = 0n
  let gasUsed = 0n
  let feeUtia = 0n
  for (const tx of txs) {
    gasLimit += tx.gasWanted
    gasUsed += tx.gasUsed
    feeUtia += tx.feeUtia
    blobsCount += tx.blobs.length
    for (const blob of tx.blobs) blobsSize += blob.sizeBytes
  }
  let bytesInBlock = 0
  for (const bytes of block.txs) bytesInBlock += bytes.length
  // The `mint` event repeats its `coinbase`; coins minted by another module have only the latter.
  const unaccounted = allocation.minted - ledger.minted
  const minted = unaccounted > 0n ? allocation.minted : ledger.minted
  return {
    txCount: txs.length,
    eventsCount: block.events.length,
    blobsCount,
    blobsSize,
    gasLimit,
    gasUsed,
    feeUtia,
    supplyChange: minted - ledger.burned,
    inflationRate: allocation.inflationRate,
    rewards: allocation.rewards,
    commissions: allocation.commissions,
    bytesInBlock,
    squareSize: block.squareSize,
  }
}

type PaidTx = { feeUtia: bigint; gasWanted: bigint; gasUsed: bigint }

/** Size of a full block as Celenium takes it: fixed, it does not follow the real limit. */
export const FULL_BLOCK_BYTES = 1_962_447

const NO_PRICES: GasPrices = { slow: 0, median: 0, fast: 0 }

/**
 * Prices (utia per gas) at 10, 50 and 99 % of the block's gas, cheapest txs first. A block with room takes every price, so all three
 * are the lowest one.
 */
export function gasPricesOf(txs: readonly PaidTx[], gasLimit: bigint, bytesInBlock: number): GasPrices {
  const paid: { price: number; gas: number }[] = []
  for (const { feeUtia, gasWanted, gasUsed } of txs) {
    if (feeUtia > 0n && gasWanted > 0n && gasUsed <= gasWanted)
      paid.push({ price: Number(feeUtia) / Number(gasWanted), gas: Number(gasWanted) })
  }
  if (paid.length === 0) return NO_PRICES
  paid.sort((a, b) => a.price - b.price)
  const slow = priceAt(paid, Number(gasLimit) * 0.1)
  if (bytesInBlock / FULL_BLOCK_BYTES < 0.9) return { slow, median: slow, fast: slow }
  return { slow, median: priceAt(paid, Number(gasLimit) * 0.5), fast: priceAt(paid, Number(gasLimit) * 0.99) }
}

function priceAt(paid: readonly { price: number; gas: number }[], gas: number): number {
  let sum = 0
  for (const tx of paid) {
    sum += tx.gas
    if (sum >= gas) return tx.price
  }
  return paid.at(-1)!.price
}
