import { createPublicKey, type KeyObject } from 'node:crypto'
import { consensusAddress } from '../lib/encoding/bech32.ts'
import { foldLeaves, hashLeaf } from '../lib/encoding/merkle.ts'
import { ProtoWriter } from '../lib/encoding/proto-writer.ts'

/** Voter of the consensus: an ed25519 key in lower-case hex, and its voting power. Power 0 in an update removes the validator. */
export type ConsensusValidator = { publicKey: string; power: bigint }

/** `address` is upper-case hex. */
export type Member = ConsensusValidator & { address: string }

const writer = new ProtoWriter()

/** The validators of one height. Never changes: updates give another set. */
export class ValidatorSet {
  readonly #members: ReadonlyMap<string, Member>
  #hash: string | undefined
  #totalPower: bigint | undefined

  private constructor(members: ReadonlyMap<string, Member>) {
    this.#members = members
  }

  static readonly EMPTY = new ValidatorSet(new Map())

  static of(validators: Iterable<ConsensusValidator>): ValidatorSet {
    return ValidatorSet.EMPTY.update(validators)
  }

  get size(): number {
    return this.#members.size
  }

  get totalPower(): bigint {
    this.#totalPower ??= [...this.#members.values()].reduce((sum, { power }) => sum + power, 0n)
    return this.#totalPower
  }

  /** `validators_hash` of a header: Merkle root over the validators, most power first, the lower address first among equals. */
  get hash(): string {
    this.#hash ??= foldLeaves(this.list().map(hashMember))
    return this.#hash
  }

  find(address: string): Member | undefined {
    return this.#members.get(address)
  }

  /** In the order of the chain. */
  list(): Member[] {
    return [...this.#members.values()].sort(compare)
  }

  /** A key of another kind than ed25519, which the chain does not admit, is left out. */
  update(updates: Iterable<Partial<ConsensusValidator> & { power: bigint }>): ValidatorSet {
    const members = new Map(this.#members)
    for (const { publicKey, power } of updates) {
      if (publicKey === undefined) continue
      const address = addressOf(publicKey)
      if (power > 0n) members.set(address, { publicKey, power, address })
      else members.delete(address)
    }
    return new ValidatorSet(members)
  }
}

function compare(a: Member, b: Member): number {
  if (a.power !== b.power) return a.power > b.power ? -1 : 1
  return a.address < b.address ? -1 : 1
}

/** SimpleValidator {1 PublicKey {1 ed25519}, 2 voting power}. */
function hashMember({ publicKey, power }: Member): string {
  writer.reset().message(1, (key) => key.text(1, publicKey, 'hex'))
  return hashLeaf(writer.integer(2, power).view)
}

/** Keys come back with every update and every signature: what is made of them is kept. A chain has some hundreds in its life. */
const addresses = new Map<string, string>()
const keys = new Map<string, KeyObject>()
const MAX_KEPT = 10_000

function addressOf(publicKey: string): string {
  return keep(addresses, publicKey, () => consensusAddress(Buffer.from(publicKey, 'hex')))
}

/** DER head of an ed25519 key, which is all that stands before its 32 bytes. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

export function toKeyObject(publicKey: string): KeyObject {
  return keep(keys, publicKey, () =>
    createPublicKey({ key: Buffer.concat([SPKI_HEAD, Buffer.from(publicKey, 'hex')]), format: 'der', type: 'spki' }),
  )
}

function keep<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= MAX_KEPT) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
