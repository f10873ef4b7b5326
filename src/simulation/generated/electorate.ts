import { hash } from 'node:crypto'
import type { RpcValidatorUpdate } from '../../chain/wire.ts'
import type { Signer } from '../node/sign.ts'
import type { Actors } from './actors.ts'
import type { Profile } from './profile.ts'

/** Validators of a generated chain. Powers are given by validator, in the order of the profile. */
export class Electorate {
  readonly #signers: readonly Signer[]
  readonly #seed: number
  readonly #absent: number

  constructor({ seed, absent }: Profile, { validators }: Actors) {
    this.#signers = validators.map(({ signer }) => signer)
    this.#seed = seed
    this.#absent = absent
  }

  readonly #lists = new WeakMap<readonly bigint[], Signer[]>()

  /** In the order of the chain: most power first, the lower address first among equals. */
  list(powers: readonly bigint[]): readonly Signer[] {
    const known = this.#lists.get(powers)
    if (known) return known
    const signers = this.#signers
      .map((signer, i) => ({ ...signer, power: powers[i]! }))
      .sort((a, b) => (a.power === b.power ? (a.address < b.address ? -1 : 1) : a.power > b.power ? -1 : 1))
    this.#lists.set(powers, signers)
    return signers
  }

  /** The addresses that do not vote for a height; what is left is always enough. */
  missing(powers: readonly bigint[], height: number): Set<string> {
    const total = powers.reduce((sum, power) => sum + power, 0n)
    const missing = new Set<string>()
    let missed = 0n
    for (const { address, power } of this.list(powers)) {
      const draw = hash('sha256', `${this.#seed} ${address} ${height}`, 'buffer').readUInt32LE(0) / 2 ** 32
      if (draw >= this.#absent || (missed + power) * 3n >= total) continue
      missing.add(address)
      missed += power
    }
    return missing
  }

  updates(before: readonly bigint[], after: readonly bigint[]): RpcValidatorUpdate[] {
    return this.#signers.flatMap(({ publicKey }, i) => {
      if (before[i] === after[i]) return []
      const value = { ed25519: Buffer.from(publicKey, 'hex').toString('base64') }
      return [{ pub_key: { Sum: { type: 'tendermint.crypto.PublicKey_Ed25519', value } }, power: String(after[i]) }]
    })
  }
}
