import type { ChainEvent } from './chain.ts'
import type { Effect } from './effects.ts'
import type {
  AddressHex,
  BlockStats,
  CoinDelta,
  GasPrices,
  HeaderFacts,
  MessageFacts,
  NamespaceHex,
  SupplyChange,
  TxFacts,
  ValidatorReward,
} from './facts.ts'

/** Everything that one block means for the tables. */
export type BlockFacts = {
  header: HeaderFacts
  stats: BlockStats
  gasPrices: GasPrices
  /** packed runs of the original data square */
  ods: Uint8Array
  events: ChainEvent[]
  txs: TxFacts[]
  /** messages of all txs in block order; their index is the position in the id */
  messages: MessageFacts[]
  /** every address the block touches, in the order in which ids are given (docs/rules.md R21) */
  addresses: AddressHex[]
  /** namespaces in order of first appearance */
  namespaces: NamespaceHex[]
  /** movements in chain order, those of module accounts summed over the block; zero sums are kept (the account was touched) */
  coins: CoinDelta[]
  /** minted and burned per denom and cause: together supply(h) - supply(h-1) */
  supply: SupplyChange[]
  rewards: ValidatorReward[]
  /** state changes in the order in which the chain made them */
  effects: Effect[]
  /** messages of unknown type or undecodable value, and undecodable txs, for the counters */
  unknownMessages: { typeUrl: string; count: number }[]
  undecodableTxs: number
  /** why the events cannot be those of the txs; undefined when nothing speaks against them */
  contradiction?: string | undefined
}
