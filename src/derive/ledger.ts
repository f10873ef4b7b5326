import { decodeAccount } from '../lib/encoding/bech32.ts'
import { toKeyText } from '../lib/encoding/bytes.ts'
import type { Cause } from '../types/balance-change.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { AddressHex, CoinDelta, SupplyChange } from '../types/facts.ts'
import { attributeOf } from './attributes.ts'
import { type CoinScope, causeOf, isMinted, isModule, receiverOf } from './cause.ts'
import { parseCoins, parseSingleUtia } from './coins.ts'

/**
 * Coins that moved in a block. Every movement is a `coin_spent` or `coin_received`; `coinbase` and `burn` only say why the sum of all
 * balances changed, and each comes with one of the two, so balances and supply always agree.
 */
export class Ledger {
  readonly coins: CoinDelta[] = []
  /** last movement of utia by account; of other denoms by account and denom */
  readonly #utia = new Map<AddressHex, CoinDelta>()
  readonly #other = new Map<string, CoinDelta>()
  /** movements of module accounts by account, denom and cause */
  readonly #ofModules = new Map<string, CoinDelta>()
  readonly #supply = new Map<string, SupplyChange>()
  readonly #addresses: Set<AddressHex>
  #scope: CoinScope | undefined
  #spender: string | undefined
  /** of the last movement: that of the coins minted or burned with it */
  #cause: Cause = 'transfer'
  minted = 0n
  burned = 0n

  /** Accounts are added to `addresses` as they appear. */
  constructor(addresses: Set<AddressHex>) {
    this.#addresses = addresses
  }

  /** The event at this place of the list; lists are read from begin to end. True when it was about coins. */
  take(scope: CoinScope, at: number): boolean {
    if (scope !== this.#scope) {
      this.#scope = scope
      this.#spender = undefined
    }
    const event = scope.events[at]!
    switch (event.type) {
      case 'coin_spent': {
        const spender = attributeOf(event, 'spender') ?? ''
        this.#spender = spender
        this.#move(event, spender, -1n, causeOf(spender, receiverOf(scope.events, at), at, scope), scope.tx)
        return true
      }
      case 'coin_received': {
        const receiver = attributeOf(event, 'receiver') ?? ''
        const giver = isMinted(scope.events, at) ? 'supply' : this.#spender
        this.#move(event, receiver, 1n, causeOf(giver, receiver, at, scope), scope.tx)
        return true
      }
      case 'coinbase':
        this.#change(event, 1n)
        return true
      case 'burn':
        this.#change(event, -1n)
        return true
      default:
        return false
    }
  }

  #move(event: ChainEvent, account: string, sign: bigint, cause: Cause, tx: number | undefined): void {
    this.#cause = cause
    const address = decodeAccount(account)
    if (address === undefined) return
    const text = attributeOf(event, 'amount') ?? ''
    const isTotalled = isModule(account)
    const utia = parseSingleUtia(text)
    if (utia !== undefined) {
      this.#add(address, 'utia', sign * utia, cause, tx, isTotalled)
      return
    }
    this.#addresses.add(address)
    for (const { denom, amount } of parseCoins(text)) this.#add(address, toKeyText(denom), sign * amount, cause, tx, isTotalled)
  }

  /** Adds an amount that an account has or gets without an event. */
  add(address: AddressHex, denom: string, amount: bigint, cause: Cause, tx?: number): void {
    this.#add(address, denom, amount, cause, tx, false)
  }

  /**
   * A movement continues the last one of the account when it has the same cause and tx, so that the balance after each of them is one
   * that the account had. Modules have part in every tx: theirs are summed over the block.
   */
  #add(address: AddressHex, denom: string, amount: bigint, cause: Cause, tx: number | undefined, isTotalled: boolean): void {
    const map = isTotalled ? this.#ofModules : denom === 'utia' ? this.#utia : this.#other
    const key = isTotalled ? `${address} ${cause} ${denom}` : denom === 'utia' ? address : `${address} ${denom}`
    const known = map.get(key)
    if (known && (isTotalled || (known.cause === cause && known.tx === tx))) {
      known.delta += amount
      return
    }
    const entry: CoinDelta = { address, denom, delta: amount, cause, ...(isTotalled || tx === undefined ? {} : { tx }) }
    map.set(key, entry)
    this.coins.push(entry)
    this.#addresses.add(address)
  }

  #change(event: ChainEvent, sign: bigint): void {
    for (const { denom, amount } of parseCoins(attributeOf(event, 'amount') ?? '')) {
      this.changeSupply(toKeyText(denom), sign * amount, this.#cause)
      if (denom !== 'utia') continue
      if (sign > 0n) this.minted += amount
      else this.burned += amount
    }
  }

  changeSupply(denom: string, amount: bigint, cause: Cause): void {
    const key = `${cause} ${denom}`
    const known = this.#supply.get(key)
    if (known) known.delta += amount
    else this.#supply.set(key, { denom, delta: amount, cause })
  }

  listSupply(): SupplyChange[] {
    return [...this.#supply.values()]
  }
}
