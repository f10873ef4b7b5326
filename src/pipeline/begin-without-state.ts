import type { SignedHeader } from '../chain/signed-header.ts'
import type { ChainSource } from '../chain/source.ts'
import { emptyBlock } from '../derive/empty-block.ts'
import { cutToMicros } from '../derive/time.ts'
import { NodeFault, OperatorError, Transient } from '../lib/errors.ts'
import { packBlock } from '../store/pack/pack-block.ts'
import type { ChainIdentity } from '../store/write/identity.ts'
import type { Writer } from '../store/write/writer.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { ValidatorUpdate } from '../types/chain.ts'
import { askHeader, learnValidators } from './learn-validators.ts'

/** `from`: the first block; `isVerified`: nothing is written unless it is known who signs. */
export type StartOptions = { from: number; isVerified: boolean }

/**
 * Begins an empty index at a block, without the state before it. The header of the block below gives its time and names the validators
 * that sign from there on; every node that answers has to have the same one.
 */
export async function beginWithoutState(
  source: ChainSource,
  writer: Writer,
  identity: ChainIdentity,
  { from, isVerified }: StartOptions,
  signal: AbortSignal,
): Promise<void> {
  const { chainId } = identity
  const { header, commit } = await askParent(source, { height: from - 1, chainId }, signal)
  const learned = await learnValidators(source, { height: from, chainId, parentHash: commit.blockId.hash }, signal)
  if (!learned && isVerified)
    throw new Transient('no_validators', `no node tells who signs block ${from}, with which the index is to begin`, { from })
  const validators = learned?.nextValidators.list() ?? []
  const start = deriveStart({
    height: from - 1,
    time: header.time,
    versionApp: Number(header.version.app ?? 0),
    validators: validators.map(({ address, ...member }) => ({ ...member, consAddress: address })),
  })
  await writer.commitGenesis(packBlock(start), identity, { hasState: false })
}

async function askParent(
  source: ChainSource,
  at: { height: number; chainId: string },
  signal: AbortSignal,
): Promise<SignedHeader> {
  const told: { origin: string; signed: SignedHeader }[] = []
  let silent: Transient | undefined
  for (const witness of source.witnesses()) {
    try {
      const signed = await askHeader(witness, at, signal)
      if (signed) told.push({ origin: witness.origin, signed })
    } catch (error) {
      if (error instanceof NodeFault) source.reportFault(witness.origin, error)
      else if (!(error instanceof Transient)) throw error
      else if (error.code !== 'no_commit') silent = error
    }
  }
  const [first] = told
  if (!first) throw silent ?? refuseHeight(at.height)
  const other = told.find(({ signed }) => signed.commit.blockId.hash !== first.signed.commit.blockId.hash)
  if (other)
    throw new OperatorError(
      'start_disputed',
      `${first.origin} and ${other.origin} have different blocks at height ${at.height}: find out which node is right before an index begins there`,
    )
  return first.signed
}

const refuseHeight = (height: number) =>
  new OperatorError(
    'start_not_served',
    `an index that begins at ${height + 1} needs the header of block ${height}, which no node has: set networks[].from_height at least one above the earliest height of your nodes`,
    { height },
  )

/** The block below the one that an index without state begins with, as far as it is needed, and who signs from there on. */
type Start = { height: number; time: string; versionApp: number; validators: ValidatorUpdate[] }

/** Its pseudo-block. Like that of a genesis it has no hash. */
function deriveStart({ validators, time, ...header }: Start): BlockFacts {
  return {
    ...emptyBlock({ ...header, time: cutToMicros(time) }),
    effects: validators.map((validator) => ({ kind: 'validator-power', ...validator })),
  }
}
