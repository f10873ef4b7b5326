import type { BlockProof } from '../gen/operations.ts'
import {
  bytesField,
  concat,
  fixed64Field,
  fromBase64,
  fromHex,
  integer,
  integerField,
  messageField,
  timestamp,
  toHex,
  varint,
} from './encoding.ts'
import { demand } from './failure.ts'
import { HEADER_HASHES } from './header-hashes.ts'
import { merkleRoot, sha256 } from './trees.ts'

type Header = BlockProof['header']
type Validator = BlockProof['validators'][number]
type Vote = BlockProof['commit']['signatures'][number]

/**
 * Trusted knowledge of a client: the chain, and the validators of some height, whole or by their hash. A hash must be that of the block in
 * question. A whole set may be older: more than a third of its power must have signed too, which holds as long as it is within the
 * unbonding time of the chain.
 */
export type Trust = { chainId: string; validatorsHash: string } | { chainId: string; validators: readonly Validator[] }

/** Hashes are upper-case hex. */
export type VerifiedBlock = {
  height: number
  hash: string
  time: string
  dataHash: string
  /** root of the state after the block before this one */
  appHash: string
  validatorsHash: string
  nextValidatorsHash: string
}

const FOR_BLOCK = 2
const PRECOMMIT = 2

/** Checks a block as a light client does. What it returns was signed by more than two thirds of the validators. */
export async function verifyBlock({ header, commit, validators }: BlockProof, trust: Trust): Promise<VerifiedBlock> {
  demandTrust(trust)
  demand(header.chain_id === trust.chainId, `the block is of chain ${header.chain_id}`)
  const hash = await hashHeader(header)
  demand(commit.height === header.height, `the votes are for height ${commit.height}`)
  demand(commit.block_id.hash === hash, 'the votes are for another block')
  demand((await hashValidators(validators)) === header.validators_hash, 'the validators are not those of the header')
  if ('validatorsHash' in trust && trust.validatorsHash !== undefined)
    demand(trust.validatorsHash.toUpperCase() === header.validators_hash, 'the validators are not the trusted ones')
  const signers = await listSigners({ header, commit, validators })
  demandPower(signers, validators, [2n, 3n])
  if ('validators' in trust && trust.validators !== undefined) demandPower(signers, trust.validators, [1n, 3n])
  return {
    height: Number(header.height),
    hash,
    time: header.time,
    dataHash: header.data_hash,
    appHash: header.app_hash,
    validatorsHash: header.validators_hash,
    nextValidatorsHash: header.next_validators_hash,
  }
}

/** Callers without types may leave out what they trust; without it any chain that somebody made up would verify. */
function demandTrust(trust: Partial<Record<'validatorsHash' | 'validators', unknown>>): void {
  const { validatorsHash, validators } = trust
  const isHash = typeof validatorsHash === 'string' && /^[0-9a-f]{64}$/i.test(validatorsHash)
  const isSet = Array.isArray(validators) && validators.length > 0
  demand(isHash || isSet, 'nothing is trusted: validatorsHash or validators of a source that you trust are needed')
}

/** Merkle root over the fourteen fields of a header. */
async function hashHeader(header: Header): Promise<string> {
  const fields = [
    concat(integerField(1, integer(header.version.block)), integerField(2, integer(header.version.app))),
    bytesField(1, new TextEncoder().encode(header.chain_id)),
    integerField(1, integer(header.height)),
    timestamp(header.time),
    encodeBlockId(header.last_block_id),
    ...HEADER_HASHES.map((name) => bytesField(1, fromHex(header[name]))),
    bytesField(1, fromHex(header.proposer_address)),
  ]
  return toHex(await merkleRoot(fields)).toUpperCase()
}

function encodeBlockId({ hash, parts }: Header['last_block_id']): Uint8Array {
  const partsBody = concat(integerField(1, parts.total), bytesField(2, fromHex(parts.hash)))
  return concat(bytesField(1, fromHex(hash)), messageField(2, partsBody))
}

/** Merkle root over the validators in their order. */
export async function hashValidators(validators: readonly Validator[]): Promise<string> {
  const leaves = validators.map(({ pub_key: key, voting_power: power }) =>
    concat(messageField(1, bytesField(1, fromBase64(key.value))), integerField(2, integer(power))),
  )
  return toHex(await merkleRoot(leaves)).toUpperCase()
}

/** Public keys, in base64, of the validators whose vote for the block verifies. A vote that does not is an error. */
async function listSigners({ header, commit, validators }: BlockProof): Promise<Set<string>> {
  const byAddress = new Map<string, Validator>()
  for (const validator of validators) {
    demand(validator.pub_key.type === 'tendermint/PubKeyEd25519', 'a validator has a key of an unknown kind')
    byAddress.set(toHex((await sha256(fromBase64(validator.pub_key.value))).slice(0, 20)).toUpperCase(), validator)
  }
  const signers = new Set<string>()
  for (const vote of commit.signatures) {
    const validator = vote.block_id_flag === FOR_BLOCK ? byAddress.get(vote.validator_address) : undefined
    if (!validator) continue
    demand(await isSigned(vote, validator, { header, commit }), `the signature of ${vote.validator_address} is wrong`)
    signers.add(validator.pub_key.value)
  }
  return signers
}

/** A validator signs a CanonicalVote preceded by its length. */
async function isSigned(
  vote: Vote,
  validator: Validator,
  { header, commit }: Pick<BlockProof, 'header' | 'commit'>,
): Promise<boolean> {
  const canonical = concat(
    integerField(1, PRECOMMIT),
    fixed64Field(2, integer(commit.height)),
    fixed64Field(3, commit.round),
    messageField(4, encodeBlockId(commit.block_id)),
    messageField(5, timestamp(vote.timestamp)),
    bytesField(6, new TextEncoder().encode(header.chain_id)),
  )
  const key = await crypto.subtle.importKey('raw', fromBase64(validator.pub_key.value), 'Ed25519', false, ['verify'])
  const signature = fromBase64(vote.signature ?? '')
  return crypto.subtle.verify('Ed25519', key, signature, concat(varint(canonical.length), canonical))
}

function demandPower(signers: ReadonlySet<string>, validators: readonly Validator[], [part, whole]: [bigint, bigint]): void {
  const sum = (list: readonly Validator[]) => list.reduce((power, { voting_power }) => power + integer(voting_power), 0n)
  const signed = sum(validators.filter(({ pub_key }) => signers.has(pub_key.value)))
  const all = sum(validators)
  demand(signed * whole > all * part, `power ${signed} of ${all} signed, more than ${part}/${whole} is needed`)
}
