import { verify } from 'node:crypto'
import { ProtoWriter } from '../lib/encoding/proto-writer.ts'
import { NodeFault } from '../lib/errors.ts'
import type { Commit } from './parse-commit.ts'
import { writeTimestamp } from './timestamp.ts'
import { toKeyObject, type ValidatorSet } from './validator-set.ts'

/** Flag of a vote for the block; the others are absent or for none. */
const FOR_BLOCK = 2
const PRECOMMIT = 2

const writer = new ProtoWriter()

/**
 * Whether more than two thirds of the power of `validators` voted for the block that `commit` names, as a light client decides it. It stops
 * where the power suffices; one signature before that which does not verify refuses the whole. Whoever brought the commit, it proves itself.
 */
export function verifyCommit(commit: Commit, chainId: string, validators: ValidatorSet): void {
  const { height } = commit
  const counted = new Set<string>()
  let power = 0n
  for (const entry of commit.signatures) {
    if (entry.block_id_flag !== FOR_BLOCK || counted.has(entry.validator_address)) continue
    // One who left or joined since is no reason to refuse: its power does not count.
    const validator = validators.find(entry.validator_address)
    if (!validator) continue
    const signature = Buffer.from(entry.signature ?? '', 'base64')
    const bytes = toSignedBytes(commit, entry.timestamp, chainId)
    if (signature.length !== 64 || !verify(null, bytes, toKeyObject(validator.publicKey), signature))
      throw new NodeFault('commit_signature', `the signature of validator ${validator.address} for height ${height} is wrong`, {
        height,
      })
    counted.add(validator.address)
    power += validator.power
    if (power * 3n > validators.totalPower * 2n) return
  }
  const share = `${power} of ${validators.totalPower}`
  throw new NodeFault('commit_power', `validators with power ${share} signed height ${height}, more than two thirds are needed`, {
    height,
  })
}

/** Bytes that a validator signs: CanonicalVote, preceded by its length. */
export function toSignedBytes(
  { height, round, blockId }: Omit<Commit, 'signatures'>,
  timestamp: string,
  chainId: string,
): Buffer {
  writer.reset().integer(1, PRECOMMIT).fixed64(2, height).fixed64(3, round)
  writer.message(4, (id) => {
    id.text(1, blockId.hash, 'hex')
    id.message(2, (parts) => parts.integer(1, blockId.parts.total).text(2, blockId.parts.hash, 'hex'))
  })
  writer.message(5, (time) => writeTimestamp(time, timestamp)).text(6, chainId, 'utf8')
  return Buffer.concat([writer.lengthPrefix(), writer.view])
}
