import type { GasPrices } from '../types/facts.ts'

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
