import type { ChainSource, SourceHead } from '../chain/source.ts'
import { ForkDetected, type NodeFault, OperatorError } from '../lib/errors.ts'
import { linkSignals } from '../lib/linked-signal.ts'
import type { Writer } from '../store/write/writer.ts'
import { catchUp, type Progress, type TrustOptions } from './catch-up.ts'
import { ensureGenesis } from './genesis.ts'
import { KnownChain, toValidatorSet } from './known-chain.ts'
import { type LearnedValidators, learnValidators } from './learn-validators.ts'
import type { PreparePool } from './prepare-pool.ts'
import { Recovery } from './recovery.ts'
import { type Dispute, EventComparer } from './verify/compare-events.ts'
import type { TxsRefused } from './verify/recheck-tip.ts'
import { askSource } from './verify/source-block.ts'
import { type ProverOptions, StateProver } from './verify/state-prover.ts'
import { ToldHeights } from './verify/told.ts'
import type { TxsThread } from './verify/txs-thread.ts'
import { TxsVerifier, type VerifierParts } from './verify/txs-verifier.ts'

export type RunOptions = Partial<TrustOptions> & {
  /** blocks per transaction while catching up */
  batchBlocks: number
  /** go on at the tip; otherwise stop at the source's head */
  follow: boolean
  /** stop at this height */
  until?: number
  maxRollbackDepth: number
  /** where an empty index begins without the state before it; otherwise it begins with genesis */
  from?: number
  onProgress?: (progress: Progress) => void
  /** how long the run waited for a chunk of blocks */
  onFetch?: (seconds: number) => void
  /** Waited for before blocks are committed in several parts: whoever hears of the first has to know that more are to come. */
  onHead?: (head: SourceHead) => void | Promise<void>
  /** Everything that the source has is committed; called each time. The source may be catching up itself. */
  onCaughtUp?: (head: SourceHead) => void
  onRollback?: (from: number, to: number) => void
  onFault?: (fault: NodeFault) => void
  /** records of each batch that are compared with the state that the next header seals, beside those of modules and the supply */
  proveState?: number
  onProven?: ProverOptions['onProven']
  onUnproven?: ProverOptions['onUnproven']
  /** where heights are compared with the data roots in the background; without it they are not */
  openTxsThread?: () => TxsThread
  onUnverifiable?: VerifierParts['onUnverifiable']
  onRefuted?: (fault: TxsRefused) => void
  /** Nodes tell different events of a height. */
  onDispute?: (dispute: Dispute) => void
  /** Commits should be verified, but the validators of this index are not known. */
  onUnverified?: () => void
}

/**
 * Follows a source until aborted, or to its head: genesis first, then blocks in order. Faulty answers are reported to the source, which
 * asks elsewhere or gives up; forks are resolved; everything else ends the run.
 */
export async function run(
  source: ChainSource,
  writer: Writer,
  pool: PreparePool,
  options: RunOptions,
  signal: AbortSignal,
  told = new ToldHeights(options.maxRollbackDepth + options.batchBlocks),
): Promise<void> {
  const { batchBlocks, from, until = Number.POSITIVE_INFINITY, onProgress = () => {}, onFetch = () => {} } = options
  const { verifyCommits: isWanted = true, dataRoots = 'sampled', openTxsThread } = options
  const start = from === undefined ? undefined : { from, isVerified: isWanted }
  const { chainId } = await ensureGenesis(source, writer, start, signal)
  // Without validators there is no key to verify a vote with; they are looked for once there is something to verify.
  const trust = { ...options, verifyCommits: isWanted && writer.validators().length > 0 }
  let isTrustKnown = !isWanted
  const prover = new StateProver(
    source,
    {
      sample: options.proveState ?? 0,
      isPossible: () => trust.verifyCommits && writer.start!.has_state,
      onProven: (proven) => {
        // The next one notes it again.
        writer.notes.proven(proven).catch(() => {})
        options.onProven?.(proven)
      },
      ...(options.onUnproven && { onUnproven: options.onUnproven }),
    },
    signal,
  )
  const comparer = new EventComparer(source, told, options.onDispute)
  const recovery = new Recovery(source, { writer, prover, told }, trust, signal)
  const verifying = new AbortController()
  const linked = linkSignals([signal, verifying.signal])
  const verifier =
    dataRoots === 'sampled' || !openTxsThread
      ? undefined
      : new TxsVerifier(
          { source, writer, told, chainId, thread: openTxsThread(), onUnverifiable: options.onUnverifiable },
          linked.signal,
        )
  const verified = verifier?.run()
  try {
    await follow()
  } finally {
    verifying.abort(new Error('the run has ended'))
    linked.release()
    await verified
  }

  async function follow(): Promise<void> {
    let chain = new KnownChain(writer, trust)
    while (!signal.aborted) {
      const head = await source.head(signal)
      if (head.chainId !== chainId)
        throw new OperatorError('wrong_chain', `this index holds chain ${chainId}, the source serves ${head.chainId}`)
      const announced = options.onHead?.(head)
      const last = writer.head!.last_height
      const to = Math.min(head.height, until)
      if (to > last + 1) await announced
      // A node that is catching up tells the validators of the height above its head only when it has one more.
      if (!isTrustKnown && last + Number(head.catchingUp) < to) {
        trust.verifyCommits = await ensureValidators(source, writer, signal)
        if (!trust.verifyCommits) options.onUnverified?.()
        isTrustKnown = true
        chain = new KnownChain(writer, trust)
      }
      const { verifyCommits } = trust
      const size = Math.min(batchBlocks, recovery.batchBlocks)
      const parts = { source, writer, pool, chain, told, prover, comparer, verifier }
      const { checkedUntil } = recovery
      const reading = { ...parts, chainId, to, checkedUntil, batchBlocks: size, verifyCommits, dataRoots, onProgress, onFetch }
      try {
        prover.throwIfRefuted()
        verifier?.throwIfRefuted()
        if (last < to) await catchUp(reading, signal)
        else if (head.height < last) await checkHead(source, writer, head.height, signal)
      } catch (error) {
        if (signal.aborted) return
        await recovery.handle(error)
        // Learned validators go with the blocks that are taken back.
        if (isWanted && verifyCommits && writer.validators().length === 0) isTrustKnown = false
        chain = new KnownChain(writer, trust)
      }
      if (writer.head!.last_height < to || signal.aborted) continue
      options.onCaughtUp?.(head)
      if (!options.follow || writer.head!.last_height >= until) return
      const waiting = source.waitForHead(writer.head!.last_height, signal).catch((error) => {
        if (!signal.aborted) throw error
      })
      await Promise.race([waiting, prover.idle(), ...(verifier ? [verifier.refuted()] : [])])
    }
  }
}

/** The source is behind us. That alone is no fork: only another block at its own height is. */
async function checkHead(source: ChainSource, writer: Writer, height: number, signal: AbortSignal): Promise<void> {
  if (height <= writer.start!.base_height) return
  const { hash, origin } = await askSource(source, writer.head!.chain_id, height, signal)
  if (hash !== (await writer.hashAt(height))) throw new ForkDetected(height, { origin })
}

type ValidatorRow = Parameters<Writer['adoptValidators']>[0][number]

/**
 * Whether the validators of the next height are known, so that commits can be verified. An index that an older release made has none and
 * learns them from nodes, which need the next height for it. An exported state names those who sign its second block: where the
 * first has others, they are learned too. A genesis that names nobody stays without.
 */
async function ensureValidators(source: ChainSource, writer: Writer, signal: AbortSignal): Promise<boolean> {
  const { chain_id: chainId, last_height: last, last_hash: lastHash } = writer.head!
  const rows = writer.validators()
  const isBeginning = lastHash === ''
  if (isBeginning ? rows.length === 0 || last === 0 : rows.length > 0) return rows.length > 0
  const at = { height: last + 1, chainId, parentHash: lastHash.toUpperCase() }
  const learned = await learnValidators(source, at, signal)
  if (!learned) return rows.length > 0
  const isOfExport = learned.nextValidators.hash === toValidatorSet(rows, 'next_power').hash
  const isKnown = learned.validators.hash === toValidatorSet(rows).hash
  if (rows.length === 0 || (isOfExport && !isKnown)) await writer.adoptValidators(toRows(learned))
  return true
}

function toRows({ validators, nextValidators }: LearnedValidators): ValidatorRow[] {
  const members = [...validators.list(), ...nextValidators.list()]
  const keys = new Map(members.map(({ address, publicKey }) => [address, publicKey]))
  return Array.from(keys, ([address, publicKey]) => ({
    address: address.toLowerCase(),
    public_key: publicKey,
    power: validators.find(address)?.power ?? 0n,
    next_power: nextValidators.find(address)?.power ?? 0n,
  }))
}
