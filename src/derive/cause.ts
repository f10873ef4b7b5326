import { encodeAddress, moduleAccount } from '../lib/encoding/bech32.ts'
import type { Cause } from '../types/balance-change.ts'
import type { ChainEvent } from '../types/chain.ts'
import { attributeOf } from './attributes.ts'
import { MODULE_ACCOUNTS } from './genesis/module-accounts.ts'
import type { ReadMessage } from './messages.ts'

type Module = (typeof MODULE_ACCOUNTS)[number]

/** By the text that events show. */
const MODULES: ReadonlyMap<string, Module> = new Map(
  MODULE_ACCOUNTS.map((name) => [encodeAddress('celestia', moduleAccount(name)), name]),
)

export const isModule = (account: string): boolean => MODULES.has(account)

/** A list of events, and what their messages say about coins whose owners do not tell why they moved. */
export type CoinScope = {
  events: readonly ChainEvent[]
  /** index of the tx; absent for events of the block itself */
  tx?: number
  byMessage: (event: ChainEvent) => Cause
}

/** The other side of a movement: an account, or the supply where coins are minted or burned; undefined when no event tells. */
type Party = string | 'supply' | undefined

/** Receiver of a `coin_spent`: the first `coin_received` behind it. */
export function receiverOf(events: readonly ChainEvent[], at: number): Party {
  for (let i = at + 1; i < events.length; i++) {
    const event = events[i]!
    if (event.type === 'coin_received') return attributeOf(event, 'receiver')
    if (event.type === 'burn') return 'supply'
    if (event.type === 'coin_spent') return undefined
  }
  return undefined
}

/** `coinbase` follows at once what a module mints. */
export function isMinted(events: readonly ChainEvent[], at: number): boolean {
  return events[at + 1]?.type === 'coinbase'
}

/** Why coins moved: their owners tell it where one of them is a module, else the message does. */
export function causeOf(from: Party, to: Party, at: number, scope: CoinScope): Cause {
  const giver = from === undefined ? undefined : MODULES.get(from)
  const taker = to === undefined ? undefined : MODULES.get(to)
  if (from === 'supply') return (taker && CREATED[taker]) ?? 'mint'
  if (to === 'supply') return (giver && DESTROYED[giver]) ?? 'burn'
  if (giver !== undefined || taker !== undefined) {
    const cause = betweenModules(giver, taker)
    if (cause !== undefined) return cause === 'earned' ? causeOfEarning(at, scope) : cause
  }
  return scope.byMessage(scope.events[at]!)
}

const CREATED: Partial<Record<Module, Cause>> = { transfer: 'ibc', hyperlane: 'bridge', warp: 'bridge' }
const DESTROYED: Partial<Record<Module, Cause>> = {
  ...CREATED,
  bonded_tokens_pool: 'slash',
  not_bonded_tokens_pool: 'slash',
  gov: 'deposit',
}

/** Whoever deals with one of these does it for one reason. */
const PURPOSE: Partial<Record<Module, Cause>> = {
  gov: 'deposit',
  transfer: 'ibc',
  interchainaccounts: 'ibc',
  hyperlane: 'bridge',
  warp: 'bridge',
  forwarding: 'bridge',
  fibre: 'fibre',
}

const isPool = (module: Module | undefined): boolean => module === 'bonded_tokens_pool' || module === 'not_bonded_tokens_pool'

function betweenModules(giver: Module | undefined, taker: Module | undefined): Cause | 'earned' | undefined {
  if (giver === 'mint') return 'mint'
  if (taker === 'fee_collector') return 'fee'
  if (giver === 'fee_collector') return taker === 'distribution' ? 'distribution' : 'fee'
  if (isPool(giver)) return isPool(taker) ? 'bonding' : 'unbonded'
  if (isPool(taker)) return 'delegation'
  if (giver === 'distribution') return 'earned'
  return (giver && PURPOSE[giver]) ?? (taker === 'distribution' ? 'community_pool' : taker && PURPOSE[taker])
}

/**
 * Coins of the distribution module are what the event behind them says. Without one they are the commission of a validator that is
 * removed, or what a proposal gives away from the community pool.
 */
function causeOfEarning(at: number, { events, tx }: CoinScope): Cause {
  for (let i = at + 1; i < events.length && events[i]!.type !== 'coin_spent'; i++) {
    if (events[i]!.type === 'withdraw_rewards') return 'reward'
    if (events[i]!.type === 'withdraw_commission') return 'commission'
  }
  const isProposal = tx === undefined && events.some(({ type }, i) => i > at && type === 'active_proposal')
  return isProposal ? 'community_pool' : 'commission'
}

const BY_MODULE: readonly [prefix: string, cause: Cause][] = [
  ['/ibc.', 'ibc'],
  ['/hyperlane.', 'bridge'],
  ['/celestia.forwarding.', 'bridge'],
  ['/celestia.fibre.', 'fibre'],
  ['/cosmos.vesting.', 'vesting'],
]

/** Why a message moves coins between accounts; messages inside of another one have to agree on it. */
export function causeOfMessage({ typeUrl, inner }: ReadMessage): Cause {
  const known = BY_MODULE.find(([prefix]) => typeUrl.startsWith(prefix))?.[1]
  if (known !== undefined || inner.length === 0) return known ?? 'transfer'
  const [first, ...others] = inner.map(causeOfMessage)
  return others.every((cause) => cause === first) ? first! : 'transfer'
}
