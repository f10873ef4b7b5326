import { decodeAccount } from '../lib/encoding/bech32.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { AddressHex, Dec, ValidatorReward } from '../types/facts.ts'
import { attributeOf } from './attributes.ts'
import { parseAmount } from './coins.ts'
import { parseDec, utiaDecOf } from './decimal.ts'

/** Events of the distribution and mint modules at the begin of every block: two per validator, so they are read apart. */
export class Allocation {
  readonly #byOperator = new Map<AddressHex, ValidatorReward>()
  rewards: Dec = 0n
  commissions: Dec = 0n
  inflationRate: Dec = 0n
  minted = 0n

  /** Of a block event. True when it was about rewards or minting. */
  take(event: ChainEvent): boolean {
    if (event.type !== 'mint') return this.takeReward(event)
    this.inflationRate = parseDec(attributeOf(event, 'inflation_rate') ?? '') ?? 0n
    this.minted += parseAmount(attributeOf(event, 'amount')) ?? 0n
    return true
  }

  /** Of any event: a message may pay into the rewards of a validator, which are shared out like those of a block. */
  takeReward(event: ChainEvent): boolean {
    switch (event.type) {
      case 'rewards':
      case 'proposer_reward': {
        const amount = utiaDecOf(attributeOf(event, 'amount') ?? '')
        this.rewards += amount
        const entry = this.#entryOf(event)
        if (entry) entry.rewards += amount
        return true
      }
      case 'commission': {
        const amount = utiaDecOf(attributeOf(event, 'amount') ?? '')
        this.commissions += amount
        const entry = this.#entryOf(event)
        if (entry) entry.commission += amount
        return true
      }
      default:
        return false
    }
  }

  #entryOf(event: ChainEvent): ValidatorReward | undefined {
    const operator = decodeAccount(attributeOf(event, 'validator') ?? '')
    if (operator === undefined) return undefined
    let entry = this.#byOperator.get(operator)
    if (!entry) {
      entry = { operator, rewards: 0n, commission: 0n }
      this.#byOperator.set(operator, entry)
    }
    return entry
  }

  list(): ValidatorReward[] {
    return [...this.#byOperator.values()]
  }
}
