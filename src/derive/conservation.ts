/** Checks that the coins in events add up and agree with the txs that the header seals: no hash covers events. */
import type { TxContent } from '../decode/tx.ts'
import { encodeAddress, moduleAccount } from '../lib/encoding/bech32.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { CoinDelta, SupplyChange } from '../types/facts.ts'
import { attributeOf } from './attributes.ts'
import { parseCoins } from './coins.ts'
import { countAnteEvents } from './event-groups.ts'
import type { ReadMessage } from './messages.ts'
import type { CoinMoves } from './msg/handler.ts'

const FEE_COLLECTOR = encodeAddress('celestia', moduleAccount('fee_collector'))

/** Why the movements of a block cannot be: what accounts gain and lose together has to be what was minted and burned. */
export function findImbalance(coins: readonly CoinDelta[], supply: readonly SupplyChange[]): string | undefined {
  let utia = 0n
  const others = new Map<string, bigint>()
  const add = (denom: string, amount: bigint) => {
    if (denom === 'utia') utia += amount
    else others.set(denom, (others.get(denom) ?? 0n) + amount)
  }
  for (const { denom, delta } of coins) add(denom, delta)
  for (const { denom, delta } of supply) add(denom, -delta)
  if (utia !== 0n) return `accounts gain ${utia} utia more than is minted`
  for (const [denom, amount] of others) if (amount !== 0n) return `accounts gain ${amount} ${denom} more than is minted`
  return undefined
}

type ToldTx = { success: boolean; events: readonly ChainEvent[]; messages: readonly ReadMessage[]; groups: () => ChainEvent[][] }

/** Why the events of a tx cannot be those of its bytes: another fee, or other coins than its messages send. */
export function findContradiction(tx: TxContent, { success, events, messages, groups }: ToldTx): string | undefined {
  const anteCount = countAnteEvents(events)
  const paid = sumReceived(events, anteCount)
  // A tx that failed before its fee was taken has no event of it.
  if ((success || paid.size > 0) && !isFee(tx, paid)) return 'its events tell of another fee than it pays'
  if (!success) return undefined
  const moves = messages.map(({ part }) => part?.moves)
  if (moves.every((each) => each !== undefined))
    return hasMoves(events, anteCount, moves) ? undefined : 'its events tell of other coins than its messages send'
  const isFalse = moves.some((each, i) => each && !hasMoves(groups()[i]!, 0, [each]))
  return isFalse ? 'its events tell of other coins than its messages send' : undefined
}

/** Coins that the ante handler gave to the fee collector. */
function sumReceived(events: readonly ChainEvent[], count: number): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (let i = 0; i < count; i++) {
    const event = events[i]!
    if (event.type !== 'coin_received' || attributeOf(event, 'receiver') !== FEE_COLLECTOR) continue
    for (const { denom, amount } of parseCoins(attributeOf(event, 'amount') ?? ''))
      sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  }
  return sums
}

function isFee({ fee }: TxContent, paid: Map<string, bigint>): boolean {
  const owed = new Map<string, bigint>()
  for (const { denom, amount } of fee.coins) if (amount !== 0n) owed.set(denom, (owed.get(denom) ?? 0n) + amount)
  return owed.size === paid.size && [...owed].every(([denom, amount]) => paid.get(denom) === amount)
}

/** Whether the movements of these events are those of the messages, one by one and no more. */
function hasMoves(events: readonly ChainEvent[], from: number, moves: readonly (CoinMoves | undefined)[]): boolean {
  const spent = moves.flatMap((each) => each?.spent ?? [])
  const received = moves.flatMap((each) => each?.received ?? [])
  let spentCount = 0
  let receivedCount = 0
  for (let i = from; i < events.length; i++) {
    const event = events[i]!
    if (event.type === 'coin_spent' && !isMove(event, 'spender', spent[spentCount++])) return false
    if (event.type === 'coin_received' && !isMove(event, 'receiver', received[receivedCount++])) return false
  }
  return spentCount === spent.length && receivedCount === received.length
}

function isMove(event: ChainEvent, key: 'spender' | 'receiver', move: CoinMoves['spent'][number] | undefined): boolean {
  return move !== undefined && attributeOf(event, key) === move[0] && attributeOf(event, 'amount') === move[1]
}
