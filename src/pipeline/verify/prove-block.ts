import { parseCommitAnswer } from '../../chain/parse-commit.ts'
import type { ChainSource, Witness } from '../../chain/source.ts'
import type { ValidatorSet } from '../../chain/validator-set.ts'
import { verifyCommit } from '../../chain/verify-commit.ts'
import { systemClock } from '../../lib/clock.ts'
import { NodeFault, Transient } from '../../lib/errors.ts'

export type Claim = { height: number; hash: string; origin: string }

/** A block that its validators did not sign: its hashes may fit, it is not of this chain. */
export class BlockUnproven extends NodeFault {
  readonly height: number
  readonly origin: string
  constructor({ height, origin }: Claim, code: string, reason: string) {
    super(code, reason, { height, origin })
    this.height = height
    this.origin = origin
  }
}

/** The newest commit may come a moment after its block. */
const TRIES = 10
const PAUSE_MS = 100

/**
 * Ends well when more than two thirds of `validators` signed the block. Who gave it is asked for the votes first, as it has to have them;
 * where it does not answer the others may, since votes prove themselves. Votes for another block at its height refuse it as well.
 */
export async function proveBlock(
  source: ChainSource,
  chainId: string,
  claim: Claim,
  validators: ValidatorSet,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { proven, missing } = await askWitnesses(source, chainId, claim, validators, signal)
    if (proven) return
    if (attempt === TRIES) throw missing ?? new Transient('no_commit', `nobody has the commit of height ${claim.height}`)
    await systemClock.sleep(PAUSE_MS, signal)
  }
}

async function askWitnesses(
  source: ChainSource,
  chainId: string,
  claim: Claim,
  validators: ValidatorSet,
  signal: AbortSignal,
): Promise<{ proven: boolean; missing?: Transient }> {
  let missing: Transient | undefined
  for (const witness of originFirst(source.witnesses(), claim.origin)) {
    try {
      await proveBy(witness, chainId, claim, validators, signal)
      return { proven: true }
    } catch (error) {
      if (error instanceof Transient) missing = error
      // Votes that do not verify, from somebody else, say nothing about the block.
      else if (error instanceof NodeFault && !(error instanceof BlockUnproven)) source.reportFault(witness.origin, error)
      else throw error
    }
  }
  return { proven: false, ...(missing && { missing }) }
}

function originFirst(witnesses: Witness[], origin: string): Witness[] {
  return witnesses.sort((a, b) => Number(b.origin === origin) - Number(a.origin === origin))
}

/** Asks one witness for the votes. The last block of a recording has none: the file is taken at its word. */
export async function proveBy(
  witness: Witness,
  chainId: string,
  claim: Claim,
  validators: ValidatorSet,
  signal: AbortSignal,
): Promise<void> {
  const { height, hash, origin } = claim
  const answer = await witness.commit(height, signal)
  if (!answer) return
  try {
    const commit = parseCommitAnswer(answer)
    if (commit.height !== height) throw new NodeFault('wrong_height', `the commit is of height ${commit.height}, not ${height}`)
    verifyCommit(commit, chainId, validators)
    if (commit.blockId.hash !== hash)
      throw new BlockUnproven(claim, 'commit_block', `the validators signed another block at height ${height}`)
  } catch (error) {
    const isOwn = witness.origin === origin && error instanceof NodeFault && !(error instanceof BlockUnproven)
    throw isOwn ? new BlockUnproven(claim, error.code, error.message) : error
  }
}
