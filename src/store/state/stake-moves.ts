import type { Part } from '../../types/balance-change.ts'

export type StakePart = Exclude<Part, 'spendable'>

/** A change of what an account has staked, and what it has after it. */
export type StakeMove = { addressId: number; part: StakePart; amount: bigint; balance: bigint }

/** Stake that effects moved and the history has not taken over yet. */
export class StakeMoves {
  #accounts = new Map<string, StakeMove>()
  #validators = new Map<number, bigint>()

  ofAccount(addressId: number, part: StakePart, amount: bigint, balance: bigint): void {
    const key = `${addressId} ${part}`
    const known = this.#accounts.get(key)
    this.#accounts.set(key, { addressId, part, amount: amount + (known?.amount ?? 0n), balance })
  }

  /** `before`: the stake before its first change. */
  ofValidator(validatorId: number, before: bigint): void {
    if (!this.#validators.has(validatorId)) this.#validators.set(validatorId, before)
  }

  /** Moves of accounts since the last call: those of one effect. */
  takeAccounts(): Iterable<StakeMove> {
    const moves = this.#accounts
    if (moves.size > 0) this.#accounts = new Map()
    return moves.values()
  }

  /** Validators whose stake moved since the last call, with what it was: those of one block. */
  takeValidators(): Map<number, bigint> {
    const validators = this.#validators
    if (validators.size > 0) this.#validators = new Map()
    return validators
  }
}
