import { decodeAccount } from '../lib/bech32.ts'
import { toKeyText } from '../lib/bytes.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { AddressHex, CoinDelta } from '../types/facts.ts'
import { attributeOf } from './attributes.ts'
import { parseCoins, parseSingleUtia } from './coins.ts'

/**
 * Coins that moved in a block. Every movement is a `coin_spent` or `coin_received`; `coinbase` and `burn` only say why the sum of all
 * balances changed, and each comes with one of the two, so balances and supply always agree.
 */
export class Ledger {
  readonly coins: CoinDelta[] = []
  /** movements of utia by account; other denoms by account and denom */
  readonly #utia = new Map<AddressHex, CoinDelta>()
  readonly #other = new Map<string, CoinDelta>()
  readonly #supply = new Map<string, bigint>()
  readonly #addresses: Set<AddressHex>
  minted = 0n
  burned = 0n

  /** Accounts are added to `addresses` as they appear. */
  constructor(addresses: Set<AddressHex>) {
    this.#addresses = addresses
  }

  /** True when the event was about coins. */
  take(event: ChainEvent): boolean {
    switch (event.type) {
      case 'coin_spent':
        this.#move(event, 'spender', -1n)
        return true
      case 'coin_received':
        this.#move(event, 'receiver', 1n)
        return true
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

  #move(event: ChainEvent, key: string, sign: bigint): void {
    const address = decodeAccount(attributeOf(event, key) ?? '')
    if (address === undefined) return
    const text = attributeOf(event, 'amount') ?? ''
    const utia = parseSingleUtia(text)
    if (utia !== undefined) {
      this.add(address, 'utia', sign * utia)
      return
    }
    this.#addresses.add(address)
    for (const { denom, amount } of parseCoins(text)) this.add(address, toKeyText(denom), sign * amount)
  }

  add(address: AddressHex, denom: string, amount: bigint): void {
    const [map, key] = denom === 'utia' ? [this.#utia, address] : [this.#other, `${address} ${denom}`]
    const known = map.get(key)
    if (known) {
      known.delta += amount
      return
    }
    const entry = { address, denom, delta: amount }
    map.set(key, entry)
    this.coins.push(entry)
    this.#addresses.add(address)
  }

  #change(event: ChainEvent, sign: bigint): void {
    for (const { denom, amount } of parseCoins(attributeOf(event, 'amount') ?? '')) {
      this.changeSupply(toKeyText(denom), sign * amount)
      if (denom !== 'utia') continue
      if (sign > 0n) this.minted += amount
      else this.burned += amount
    }
  }

  changeSupply(denom: string, amount: bigint): void {
    this.#supply.set(denom, (this.#supply.get(denom) ?? 0n) + amount)
  }

  listSupply(): { denom: string; delta: bigint }[] {
    return Array.from(this.#supply, ([denom, delta]) => ({ denom, delta }))
  }
}
