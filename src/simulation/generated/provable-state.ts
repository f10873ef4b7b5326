import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { type ProveState, StateTrees } from '../state/state-trees.ts'
import type { Actors } from './actors.ts'
import type { findMoved } from './balances.ts'
import { ownedBy } from './by-owner.ts'
import { ONE } from './rewards.ts'
import type { GeneratedState } from './state.ts'

/** The records of a generated chain in trees, so that its headers commit to them as those of a real chain do. */
export class ProvableState {
  readonly #trees = new StateTrees()
  readonly #operators: readonly string[]
  readonly #supply = new Map<string, bigint>()
  #appHash = ''

  constructor(state: GeneratedState, { validators }: Actors) {
    this.#operators = validators.map(({ operator }) => decodeAccount(operator)!)
    const books = Object.entries({ utia: state.balances, ...state.foreign })
    const accounts = new Set([...books.flatMap(([, owners]) => Object.keys(owners)), ...state.delegations.map(({ by }) => by)])
    const supplyChanges = new Map(
      books.map(([denom, owners]) => [denom, Object.values(owners).reduce((sum, amount) => sum + amount, 0n)]),
    )
    this.update(state, { accounts, supplyChanges })
  }

  /** Of the next header. */
  get appHash(): string {
    return this.#appHash
  }

  get prove(): ProveState {
    return this.#trees.prove
  }

  /** Takes over what a block did. Who changes a delegation pays a fee, so that it is among the accounts whose coins moved. */
  update(state: GeneratedState, { accounts, supplyChanges }: ReturnType<typeof findMoved>): void {
    for (const account of accounts) this.#updateAccount(state, account)
    for (const [i, { tokens }] of state.validators.entries()) {
      const value = { tokens, shares: tokens * ONE, jailed: false, bonded: true }
      this.#trees.set({ kind: 'validator', operator: this.#operators[i]! }, value)
    }
    for (const [denom, change] of supplyChanges) {
      const amount = (this.#supply.get(denom) ?? 0n) + change
      this.#supply.set(denom, amount)
      this.#trees.set({ kind: 'supply', denom }, { amount })
    }
    this.#appHash = this.#trees.commit(state.height)
  }

  #updateAccount(state: GeneratedState, account: string): void {
    const address = decodeAccount(account)!
    for (const [denom, owners] of Object.entries({ utia: state.balances, ...state.foreign }))
      this.#trees.set({ kind: 'balance', address, denom }, { amount: owners[account] ?? 0n })
    for (const { validator, amount } of ownedBy(state.delegations, account)) {
      const operator = this.#operators[validator]!
      this.#trees.set({ kind: 'delegation', delegator: address, operator }, { shares: amount * ONE })
    }
  }
}
