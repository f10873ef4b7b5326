import { attributeOf } from '../../derive/attributes.ts'
import { utiaOf } from '../../derive/coins.ts'
import type { ChainEvent } from '../../types/chain.ts'

/** Coins move by events, here as in every reader of the chain. Only utia counts. */
export function applyCoins(balances: Record<string, bigint>, events: readonly ChainEvent[]): void {
  for (const event of events) {
    const amount = utiaOf(attributeOf(event, 'amount') ?? '')
    if (event.type === 'coin_spent') move(balances, attributeOf(event, 'spender')!, -amount)
    else if (event.type === 'coin_received') move(balances, attributeOf(event, 'receiver')!, amount)
  }
}

function move(balances: Record<string, bigint>, address: string, amount: bigint): void {
  const rest = (balances[address] ?? 0n) + amount
  if (rest < 0n) throw new Error(`the generated chain spends ${-amount} utia of ${address}, which has less`)
  balances[address] = rest
}

/** Whose coins events move, and what they add to all coins together. */
export function findMoved(events: readonly ChainEvent[]): { accounts: Set<string>; supplyChange: bigint } {
  const accounts = new Set<string>()
  let supplyChange = 0n
  for (const event of events) {
    const amount = utiaOf(attributeOf(event, 'amount') ?? '')
    if (event.type === 'coin_spent') {
      accounts.add(attributeOf(event, 'spender')!)
      supplyChange -= amount
    } else if (event.type === 'coin_received') {
      accounts.add(attributeOf(event, 'receiver')!)
      supplyChange += amount
    }
  }
  return { accounts, supplyChange }
}
