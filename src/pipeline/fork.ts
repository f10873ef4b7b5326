import type { ChainSource, Witness } from '../chain/source.ts'
import type { ValidatorSet } from '../chain/validator-set.ts'
import { systemClock } from '../lib/clock.ts'
import { NodeFault, OperatorError, Transient } from '../lib/errors.ts'
import type { Writer } from '../store/write/writer.ts'
import { toValidatorSet } from './known-chain.ts'
import { proveBy } from './verify/prove-block.ts'
import { hashOf } from './verify/source-block.ts'

export type ForkOptions = { maxDepth: number; verifyCommits: boolean; onRollback: (from: number, to: number) => void }

/** Questions to a witness about one height before it counts as silent. */
const TRIES = 3
const PAUSE_MS = 100

/** Where a branch leaves our chain: its first block as its origin has it; `hash` is undefined where it has none at that height. */
type Branch = { height: number; hash: string | undefined; isTooDeep: boolean }

/**
 * `origin` does not continue our chain (docs/rules.md R59): it is asked once more, and followed back to the last common block before anything is deleted. Its
 * branch is taken when its first block is signed by the validators that our own chain has for that height; where signatures are not
 * verified, when another node has the same block or there is none to ask. Otherwise the fault of who told it is returned.
 */
export async function resolveFork(
  source: ChainSource,
  writer: Writer,
  origin: string,
  options: ForkOptions,
  signal: AbortSignal,
): Promise<NodeFault | undefined> {
  const witnesses = source.witnesses()
  const witness = witnesses.find((other) => other.origin === origin)
  // Put aside in the meantime.
  if (!witness) return undefined
  const { last_height: last } = writer.head!
  const others = witnesses.filter((other) => other !== witness)
  try {
    const branch = await findBranch(witness, writer, options.maxDepth, signal)
    // Our chain stands: it lied, or changed branches between two answers.
    if (!branch)
      return new NodeFault('parent_hash', `block ${last + 1} does not continue the indexed chain`, { height: last + 1 })
    // Below the heights that can be taken back one by one, validators are known at some heights only.
    const isKnown = options.verifyCommits && (await writer.listReach()).includes(branch.height - 1)
    const validators = toValidatorSet(isKnown ? await writer.validatorsAfter(branch.height - 1) : [])
    // Those of the heights below the one where they were learned are not known either.
    if (validators.size > 0) await checkSigned(witness, writer, branch, validators, signal)
    else await checkShared(others, writer, branch, signal)
    if (branch.isTooDeep) throw rejectDepth(last, options.maxDepth)
    options.onRollback(last, await writer.revertTo(branch.height - 1))
    return undefined
  } catch (error) {
    if (error instanceof NodeFault) return new NodeFault(error.code, error.message, { ...error.facts, origin })
    // A node that offers a branch must serve it. A node that stands alone gets more time.
    if (error instanceof Transient && others.length > 0) return new NodeFault('fork_unproven', error.message, error.facts)
    throw error
  }
}

/** Undefined when the witness has our head. Stops at the depth that can be taken back, and at the first block. */
async function findBranch(witness: Witness, writer: Writer, maxDepth: number, signal: AbortSignal): Promise<Branch | undefined> {
  const { chain_id: chainId, last_height: last } = writer.head!
  let branch: Branch | undefined
  for (let height = last; height > writer.start!.base_height; height--) {
    const hash = await askPatiently(witness, chainId, height, signal)
    if (hash === (await writer.hashAt(height))) return branch
    // A chain that was reset may be shorter than ours.
    const before = branch
    branch = { height, hash, isTooDeep: height === 1 }
    // The validators of the block above are the last ones that are still known.
    if (before && last - height + 1 > maxDepth) return { ...before, isTooDeep: true }
  }
  return branch
}

/** One lost answer must not cost a walk of many heights, nor make a node that tells the truth look like one that cannot show its branch. */
async function askPatiently(witness: Witness, chainId: string, height: number, signal: AbortSignal): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askWitness(witness, chainId, height, signal)
    } catch (error) {
      if (!(error instanceof Transient) || attempt === TRIES) throw error
      await systemClock.sleep(PAUSE_MS, signal)
    }
  }
}

async function askWitness(witness: Witness, chainId: string, height: number, signal: AbortSignal): Promise<string | undefined> {
  const raw = await witness.block(height, signal)
  return raw && hashOf(raw, chainId)
}

async function checkSigned(
  witness: Witness,
  writer: Writer,
  { height, hash }: Branch,
  validators: ValidatorSet,
  signal: AbortSignal,
): Promise<void> {
  const { chain_id: chainId } = writer.head!
  const claim = { height, hash: hash?.toUpperCase() ?? '', origin: witness.origin }
  try {
    await proveBy(witness, chainId, claim, validators, signal)
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    throw new NodeFault('fork_unproven', `another chain from height ${height} on is offered, but ${error.message}`, { height })
  }
}

async function checkShared(
  others: readonly Witness[],
  writer: Writer,
  { height, hash }: Branch,
  signal: AbortSignal,
): Promise<void> {
  if (others.length === 0) return
  for (const other of others) {
    // A witness that cannot answer does not confirm anything.
    const theirs = await askWitness(other, writer.head!.chain_id, height, signal).catch(() => undefined)
    if (theirs !== undefined && theirs === hash) return
  }
  throw new NodeFault('fork_unconfirmed', `another chain from height ${height} on is offered, but no other node has its block`, {
    height,
  })
}

function rejectDepth(last: number, maxDepth: number): OperatorError {
  return new OperatorError(
    'fork_too_deep',
    `the source has another chain for more than ${maxDepth} blocks below ${last}: nothing was deleted, decide and start again`,
    { height: last, maxDepth },
  )
}
