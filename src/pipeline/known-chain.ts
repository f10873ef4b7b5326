import { checkLink, type Parent, ResultsRefused } from '../chain/link.ts'
import { ValidatorSet } from '../chain/validator-set.ts'
import { NodeFault } from '../lib/errors.ts'
import type { Writer } from '../store/write/writer.ts'
import type { PreparedBlock } from './prepare-block.ts'

type ValidatorRow = ReturnType<Writer['validators']>[number]

/**
 * The end of the chain as far as it was read: what the next block is checked against. It starts from the head of the database and moves
 * ahead of it while a batch is gathered.
 */
export class KnownChain {
  #tip: Parent
  /** the validators that signed the tip; those that sign the next height; and the one after it */
  #signers = ValidatorSet.EMPTY
  #validators: ValidatorSet
  #nextValidators: ValidatorSet
  readonly #checksValidators: boolean

  constructor(writer: Writer, options: { verifyCommits: boolean }) {
    const { last_height: height, last_hash: hash, results_hash: resultsHash } = writer.head!
    this.#tip = { height, hash: hash.toUpperCase(), resultsHash: resultsHash?.toUpperCase() }
    const rows = writer.validators()
    this.#validators = toValidatorSet(rows)
    this.#nextValidators = toValidatorSet(rows, 'next_power')
    this.#checksValidators = options.verifyCommits
  }

  get tip(): Readonly<Parent> {
    return this.#tip
  }

  get signers(): ValidatorSet {
    return this.#signers
  }

  get validators(): ValidatorSet {
    return this.#validators
  }

  /** Throws unless `block` continues the chain; it is the tip then. */
  accept(block: PreparedBlock): void {
    checkLink(this.#tip, block)
    if (this.#checksValidators) this.#checkValidators(block)
    const { height, hash, resultsHash, origin } = block
    this.#tip = { height, hash, resultsHash, origin }
    this.#signers = this.#validators
    this.#validators = this.#nextValidators
    if (block.validatorUpdates.length > 0) this.#nextValidators = this.#nextValidators.update(block.validatorUpdates)
  }

  #checkValidators({ height, origin, hashes }: PreparedBlock): void {
    if (hashes.validators_hash !== this.#validators.hash)
      throw new NodeFault('validators_hash', `the header of height ${height} has other validators than the chain`, {
        height,
        origin,
      })
    // The updates are told beside the header, like the results of txs.
    if (hashes.next_validators_hash !== this.#nextValidators.hash)
      throw new ResultsRefused(this.#tip, 'validator_updates', 'the validator updates')
  }
}

export function toValidatorSet(rows: readonly ValidatorRow[], column: 'power' | 'next_power' = 'power'): ValidatorSet {
  return ValidatorSet.of(rows.map((row) => ({ publicKey: row.public_key, power: row[column] })))
}
