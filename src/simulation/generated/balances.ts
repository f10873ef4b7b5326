import { attributeOf } from '../../derive/attributes.ts'
import { parseCoins } from '../../derive/coins.ts'
import type { ChainEvent } from '../../types/chain.ts'
import type { GeneratedState } from './state.ts'

/** Coins move by events, here as in every reader of the chain. */
export function applyCoins({ balances, foreign }: GeneratedState, events: readonly ChainEvent[]): void {
  for (const { account, denom, amount } of listMoves(events)) {
    if (denom === 'utia') move(balances, account, amount)
    else if (foreign) move((foreign[denom] ??= {}), account, amount)
  }
}

/** Whose coins events move, and what they add to the supply of each denomination. */
export function findMoved(events: readonly ChainEvent[]): { accounts: Set<string>; supplyChanges: Map<string, bigint> } {
  const accounts = new Set<string>()
  const supplyChanges = new Map<string, bigint>()
  for (const { account, denom, amount } of listMoves(events)) {
    accounts.add(account)
    supplyChanges.set(denom, (supplyChanges.get(denom) ?? 0n) + amount)
  }
  return { accounts, supplyChanges }
}

function* listMoves(events: readonly ChainEvent[]): Generator<{ account: string; denom: string; amount: bigint }> {
  for (const event of events) {
    const isSpent = event.type === 'coin_spent'
    if (!isSpent && event.type !== 'coin_received') continue
    const account = attributeOf(event, isSpent ? 'spender' : 'receiver')!
    for (const { denom, amount } of parseCoins(attributeOf(event, 'amount') ?? ''))
      yield { account, denom, amount: isSpent ? -amount : amount }
  }
}

function move(balances: Record<string, bigint>, address: string, amount: bigint): void {
  const rest = (balances[address] ?? 0n) + amount
  if (rest < 0n) throw new Error(`the generated chain spends ${-amount} of ${address}, which has less`)
  balances[address] = rest
}
