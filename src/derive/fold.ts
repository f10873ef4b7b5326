import { sanitizeText, toKeyText } from '../lib/encoding/bytes.ts'
import type { ChainBlock } from '../types/chain.ts'
import type { Effect } from '../types/effects.ts'
import type { AddressHex, MessageFacts, NamespaceHex } from '../types/facts.ts'
import { Allocation } from './allocation.ts'
import { Ledger } from './ledger.ts'
import type { TxScope } from './messages.ts'

const MAX_NAME = 200

/** Accumulator of a block, filled from its begin to its end. Sets keep the order of first appearance, which is the order of ids. */
export class BlockFold {
  /** Accounts that sign, that messages name or whose coins move; one that only an effect names gets its id when that is written. */
  readonly addresses = new Set<AddressHex>()
  readonly namespaces = new Set<NamespaceHex>()
  readonly ledger = new Ledger(this.addresses)
  readonly allocation = new Allocation()
  readonly messages: MessageFacts[] = []
  readonly effects: Effect[] = []
  readonly unknownMessages = new Map<string, number>()
  undecodableTxs = 0
  /** why what the node told cannot be; the first reason */
  contradiction: string | undefined

  /** Effects of a message get its place in the block, those of block events none. */
  emit(effects: readonly Effect[], tx?: number, message?: number): void {
    for (const effect of effects) {
      sanitizeEffect(effect)
      this.effects.push(
        Object.assign(effect, tx === undefined ? undefined : { tx }, message === undefined ? undefined : { message }),
      )
    }
  }

  countUnknown(typeUrl: string): void {
    // Anybody may invent a type URL of any length; the count needs to tell them apart, no more.
    const name = sanitizeText(typeUrl.slice(0, MAX_NAME))
    this.unknownMessages.set(name, (this.unknownMessages.get(name) ?? 0) + 1)
  }
}

export function toTxScope({ height, versionApp, evidence }: ChainBlock, time: string): TxScope {
  const evidenceHeight = (address: string) => evidence.find((each) => each.validatorAddress === address)?.height
  return { height, time, versionApp, evidenceHeight }
}

/** Texts that tables are keyed or searched by. */
const KEYS = new Set(['authorization', 'clientId', 'substituteId', 'connectionId', 'channelId', 'portId', 'chainId'])

/** Texts of the chain may hold what PostgreSQL refuses, or be longer than its indexes take; they are mended in place, at any depth. */
function sanitizeEffect(effect: Effect): void {
  sanitizeValues(effect as unknown as Record<string, unknown>)
}

function sanitizeValues(holder: Record<string, unknown>): void {
  for (const key in holder) {
    const value = holder[key]
    if (typeof value === 'string') holder[key] = KEYS.has(key) ? toKeyText(value) : sanitizeText(value)
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      sanitizeValues(value as Record<string, unknown>)
  }
}
