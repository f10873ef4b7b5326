import { isSignedBy, parseSignedHeader, type SignedHeader } from '../chain/signed-header.ts'
import type { ChainSource, Witness } from '../chain/source.ts'
import { ValidatorSet } from '../chain/validator-set.ts'
import { NodeFault, Transient } from '../lib/errors.ts'

/** Validators of a height and of the next one. */
export type LearnedValidators = { validators: ValidatorSet; nextValidators: ValidatorSet }

/** The height that is needed next; `parentHash` (upper-case hex) is the block below it, empty where an index begins. */
export type LearnAt = { height: number; chainId: string; parentHash: string }

/**
 * Asks nodes for the validators of a height that an index does not know them for. The headers prove them: the parent's names the set that
 * signs `height`, and that set has signed the header which names the next one. Without a parent the header of `height` is believed when its own
 * validators signed it. Undefined when nobody can tell.
 */
export async function learnValidators(
  source: ChainSource,
  at: LearnAt,
  signal: AbortSignal,
): Promise<LearnedValidators | undefined> {
  for (const witness of source.witnesses()) {
    try {
      const learned = await askWitness(witness, at, signal)
      if (learned) return learned
    } catch (error) {
      if (error instanceof NodeFault) source.reportFault(witness.origin, error)
      // One that does not answer is no reason to ask nobody else.
      else if (!(error instanceof Transient)) throw error
    }
  }
  return undefined
}

async function askWitness(witness: Witness, at: LearnAt, signal: AbortSignal): Promise<LearnedValidators | undefined> {
  const { height } = at
  const signed = await askHeader(witness, at, signal)
  if (!signed) return undefined
  if (at.parentHash !== '') {
    const parent = await askHeader(witness, { ...at, height: height - 1 }, signal)
    if (!parent) return undefined
    checkParent(parent, signed, at)
  }
  const validators = await askSet(witness, height, signed.header.validators_hash, signal)
  const nextValidators = await askSet(witness, height + 1, signed.header.next_validators_hash, signal)
  if (!validators || !nextValidators) return undefined
  isSignedBy(signed, validators)
  return { validators, nextValidators }
}

/** The header of a height with its votes, as one node tells it. */
export async function askHeader(
  witness: Witness,
  { height, chainId }: Omit<LearnAt, 'parentHash'>,
  signal: AbortSignal,
): Promise<SignedHeader | undefined> {
  const answer = await witness.commit(height, signal)
  if (!answer) return undefined
  const signed = parseSignedHeader(answer)
  const { header } = signed
  if (header.chain_id !== chainId) throw new NodeFault('wrong_chain', `the header is of chain ${header.chain_id}, not ${chainId}`)
  if (Number(header.height) !== height)
    throw new NodeFault('wrong_height', `the header is of height ${header.height}`, { height })
  return signed
}

/** The block below `height` is known: its header, and with it the validators that it names, has to have that hash. */
function checkParent(parent: SignedHeader, signed: SignedHeader, { height, parentHash }: LearnAt): void {
  if (parent.commit.blockId.hash !== parentHash || signed.header.last_block_id.hash !== parentHash)
    throw new NodeFault('other_branch', `the node has another block at height ${height - 1}`, { height: height - 1 })
  if (parent.header.next_validators_hash !== signed.header.validators_hash) throw refuseSet(height)
}

async function askSet(witness: Witness, height: number, hash: string, signal: AbortSignal): Promise<ValidatorSet | undefined> {
  const told = await witness.validators(height, signal)
  if (!told) return undefined
  const validators = ValidatorSet.of(told)
  if (validators.hash !== hash) throw refuseSet(height)
  return validators
}

function refuseSet(height: number): NodeFault {
  return new NodeFault('validators_hash', `the validators that the node tells for height ${height} are not those of the header`, {
    height,
  })
}
