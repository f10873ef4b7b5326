import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { type ProveState, StateTrees } from '../state/state-trees.ts'
import type { Actors } from './actors.ts'
import { ownedBy } from './by-owner.ts'
import { ONE } from './rewards.ts'
import type { GeneratedState } from './state.ts'

/** The records of a generated chain in trees, so that its headers commit to them as those of a real chain do. */
export class ProvableState {
  readonly #trees = new StateTrees()
  readonly #operators: readonly string[]
  #supply = 0n
  /** `app_hash` of the next header */
  appHash: string

  constructor(state: GeneratedState, { validators }: Actors) {
    this.#operators = validators.map(({ operator }) => decodeAccount(operator)!)
    const supplyChange = Object.values(state.balances).reduce((sum, amount) => sum + amount, 0n)
    const owners = [...Object.keys(state.balances), ...state.delegations.map(({ by }) => by)]
    this.appHash = this.update(state, { accounts: new Set(owners), supplyChange })
  }

  get prove(): ProveState {
    return this.#trees.prove
  }

  /** Takes over what a block did. Who changes a delegation pays a fee, so that it is among the accounts whose coins moved. */
  update(state: GeneratedState, { accounts, supplyChange }: { accounts: Iterable<string>; supplyChange: bigint }): string {
    for (const account of accounts) {
      const address = decodeAccount(account)!
      this.#trees.set({ kind: 'balance', address, denom: 'utia' }, { amount: state.balances[account] ?? 0n })
      for (const { validator, amount } of ownedBy(state.delegations, account))
        this.#trees.set(
          { kind: 'delegation', delegator: address, operator: this.#operators[validator]! },
          { shares: amount * ONE },
        )
    }
    for (const [i, { tokens }] of state.validators.entries()) {
      const value = { tokens, shares: tokens * ONE, jailed: false, bonded: true }
      this.#trees.set({ kind: 'validator', operator: this.#operators[i]! }, value)
    }
    this.#supply += supplyChange
    this.#trees.set({ kind: 'supply', denom: 'utia' }, { amount: this.#supply })
    this.appHash = this.#trees.commit(state.height)
    return this.appHash
  }
}
