import type { ChainEvent } from '../../types/chain.ts'
import { moduleText } from './accounts.ts'

export function anEvent(type: string, attributes: Record<string, string> | [string, string][] = {}): ChainEvent {
  return { type, attributes: Array.isArray(attributes) ? attributes : Object.entries(attributes) }
}

/** A typed event: its values are JSON. */
export function aTypedEvent(type: string, attributes: Record<string, unknown>): ChainEvent {
  return anEvent(type, Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, JSON.stringify(value)])))
}

/** The events of coins that go from one account to another. `coins` is coins text such as `5utia`. */
export function movedCoins(from: string, to: string, coins: string): ChainEvent[] {
  return [
    anEvent('coin_spent', { spender: from, amount: coins }),
    anEvent('coin_received', { receiver: to, amount: coins }),
    anEvent('transfer', { recipient: to, sender: from, amount: coins }),
  ]
}

/** New coins in the account of a module. */
export function mintedCoins(module: string, coins: string): ChainEvent[] {
  const minter = moduleText(module)
  return [anEvent('coin_received', { receiver: minter, amount: coins }), anEvent('coinbase', { minter, amount: coins })]
}
