import { ResultsRefused } from '../chain/link.ts'
import type { ChainSource } from '../chain/source.ts'
import { systemClock } from '../lib/clock.ts'
import { Invariant, NodeFault } from '../lib/errors.ts'
import { linkSignals } from '../lib/linked-signal.ts'
import type { ChangedClaims } from '../store/write/claims.ts'
import type { CommitOptions, Writer } from '../store/write/writer.ts'
import type { KnownChain } from './known-chain.ts'
import type { PreparedBlock } from './prepare-block.ts'
import { BlockRefused, type PreparePool } from './prepare-pool.ts'
import { readChain } from './read-chain.ts'
import type { EventComparer } from './verify/compare-events.ts'
import { BlockUnproven, proveBlock } from './verify/prove-block.ts'
import { RecentBlocks, TIP_BLOCKS } from './verify/recheck-tip.ts'
import type { StateProver } from './verify/state-prover.ts'
import type { ToldHeights } from './verify/told.ts'

/** Blocks committed together; `blockBytes` has one number per block. */
export type Progress = { height: number; target: number; blocks: number; txs: number; blockBytes: readonly number[] }

/** How far nodes are believed. */
export type TrustOptions = {
  /** nothing is written that the validators have not signed */
  verifyCommits: boolean
  /** whose txs are compared with the root in the header: the blocks at the tip and a random share of the others, or all */
  dataRoots: 'sampled' | 'all'
}

export type CatchUp = TrustOptions & {
  source: ChainSource
  writer: Writer
  pool: PreparePool
  chain: KnownChain
  told: ToldHeights
  prover: StateProver
  comparer: EventComparer
  chainId: string
  /** last height */
  to: number
  batchBlocks: number
  onProgress: (progress: Progress) => void
  onFetch: (seconds: number) => void
}

/** COPY text of one transaction: bounds memory and the time a commit takes. */
const BATCH_CHARS = 24_000_000
/** A block waits no longer than `full` for others that share its transaction, and only `idle` when the next ones are not ready. */
type Patience = { full: number; idle: number }
const NEAR_HEAD: Patience = { full: 1000, idle: 100 }
/**
 * Latency does not matter for a block that thousands follow, and a transaction of few blocks costs more per block: rows that change with every block
 * are written each time, and so is the undo record of every height, of which a large batch only needs the last ones.
 */
const FAR_BEHIND: Patience = { full: 2500, idle: 1000 }
/** One data root costs 8 ms of a usual block and 0.6 s of one with 32 MiB. */
const SAMPLED_SHARE = 0.01

/** Fault of a block that breaks a rule of the index, such as an account that pays more than it has. */
export class BlockImpossible extends NodeFault {
  readonly height: number
  readonly origin: string
  constructor(cause: Invariant, { height, origin }: PreparedBlock) {
    super(cause.code, cause.message, { ...cause.facts, height, origin }, cause)
    this.height = height
    this.origin = origin
  }
}

/** Reads, checks and commits everything up to `to`. What came before a bad block is kept: a lying node cannot hold up the index. */
export async function catchUp(
  { source, writer, pool, chain, told, prover, comparer, chainId, to, ...options }: CatchUp,
  signal: AbortSignal,
): Promise<void> {
  let batch: PreparedBlock[] = []
  let chars = 0
  let openedAt = 0
  const recent = new RecentBlocks()
  // Only a commit that others follow at once need not wait for the disk.
  // `next` is the block above the batch, where it has been read: its header seals the state that the batch leads to.
  const flush = async ({ isRelaxed = false, next }: { isRelaxed?: boolean; next?: PreparedBlock } = {}) => {
    if (batch.length === 0) return
    prover.throwIfRefuted()
    const blocks = batch
    batch = []
    chars = 0
    // The links carry the proof from the last block to all before it.
    const proving = options.verifyCommits ? proveBlock(source, chainId, next ?? blocks.at(-1)!, chain.signers, signal) : undefined
    const [disputed] = await Promise.all([comparer.compare(blocks, signal), proving])
    const { height: first, hashes } = blocks[0]!
    prover.release(first, hashes.app_hash, disputed.has(first - 1))
    // The header of the last block seals the state before it: only what it does itself is written unproven.
    const before = next || !prover.isOn ? undefined : blocks.at(-2)?.height
    const ends = before === undefined ? disputed : new Set([...disputed, before])
    for (const { part, following } of splitAfter(blocks, ends, next)) {
      const info = { from: part[0]!.height, to: part.at(-1)!.height, isDisputed: disputed.has(part.at(-1)!.height) }
      const check = async (changed: () => ChangedClaims) => {
        if (following) await prover.check(info, changed(), following.hashes.app_hash)
        else prover.hold(info, changed())
      }
      await commit(writer, part, { isRelaxed: isRelaxed && info.to < to, check: prover.isOn ? check : undefined })
    }
    const txs = blocks.reduce((sum, block) => sum + block.txs.length, 0)
    const blockBytes = blocks.map(({ stats }) => stats.bytesInBlock)
    const progress = { height: blocks.at(-1)!.height, target: to, blocks: blocks.length, txs, blockBytes }
    // Progress is what is committed. A commit that fails is thrown by the next call to the writer.
    writer.settled().then(
      () => options.onProgress(progress),
      () => {},
    )
  }
  const flushAllButLast = async () => {
    const last = batch.pop()!
    await flush({ isRelaxed: true, next: last })
    batch = [last]
    chars = sizeOf(last)
    openedAt = performance.now()
  }
  const finish = async () => {
    await flush()
    await writer.settled()
  }
  const accept = async (block: PreparedBlock) => {
    try {
      chain.accept(block)
    } catch (error) {
      // A header that contradicts what was told before it has to be true itself.
      if (error instanceof ResultsRefused && options.verifyCommits)
        await proveBlock(source, chainId, block, chain.validators, signal)
      throw error
    }
  }
  const take = async (blocks: PreparedBlock[]) => {
    for (const block of blocks) {
      await accept(block)
      if (batch.length >= options.batchBlocks || chars >= BATCH_CHARS) await flush({ isRelaxed: true, next: block })
      if (batch.length === 0) openedAt = performance.now()
      batch.push(block)
      told.add(block.height, { origin: block.origin, eventsHash: block.eventsHash, appHash: block.hashes.app_hash })
      recent.add(block)
      chars += sizeOf(block)
    }
  }
  // `to` is only claimed. An index at the tip gets few blocks per run: they are checked by where it begins, whatever the claim, and
  // where a long run ends below the claim its last blocks are checked afterwards.
  const tip = { until: chain.tip.height + TIP_BLOCKS, from: to - TIP_BLOCKS + 1 }
  const checks = {
    roots: { ...tip, share: options.dataRoots === 'all' ? 1 : SAMPLED_SHARE },
    events: { ...tip, share: SAMPLED_SHARE },
  }
  const range = { source, pool, chainId, from: chain.tip.height + 1, to, checks, onFetch: options.onFetch }
  const leaving = new AbortController()
  const linked = linkSignals([signal, leaving.signal])
  const chunks = readChain(range, linked.signal)
  try {
    for (;;) {
      const next = chunks.next()
      // Awaited below; a flush that fails comes first.
      next.catch(() => {})
      // Blocks that were read must not wait for those that a source is slow to give, or does not have.
      // `to` is only claimed: at the tip blocks come one by one, whatever the claim.
      const wait = batch.length > 1 && to - chain.tip.height > options.batchBlocks ? FAR_BEHIND : NEAR_HEAD
      if (batch.length > 1 && performance.now() - openedAt > wait.full) await flushAllButLast()
      else if (batch.length > 0 && !(await settlesWithin(next, wait.idle))) await flush()
      const { done, value: blocks } = await next
      if (done) break
      await take(blocks)
      if (signal.aborted) break
    }
  } catch (error) {
    if (error instanceof BlockRefused) await take(error.good)
    // The blocks before one that is not of this chain may not be of it either; they are read again.
    if (!(error instanceof BlockUnproven)) await finish()
    throw error
  } finally {
    // A chunk may be under way that nobody waits for any more.
    leaving.abort(new Error('catching up has ended'))
    await chunks.return(undefined).catch(() => {})
    linked.release()
  }
  await finish()
  if (chain.tip.height < to) await recent.recheck({ source, pool, chainId }, signal)
}

/** Whether the promise is settled, one way or the other, before `ms` have passed. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController()
  const settled = promise.then(
    () => true,
    () => true,
  )
  const late = systemClock.sleep(ms, over.signal).then(
    () => false,
    () => true,
  )
  return Promise.race([settled, late]).finally(() => over.abort())
}

/** Blocks in order, cut behind the heights in `ends`, each part with the block that follows it. */
function* splitAfter(
  blocks: readonly PreparedBlock[],
  ends: ReadonlySet<number>,
  next: PreparedBlock | undefined,
): Generator<{ part: PreparedBlock[]; following: PreparedBlock | undefined }> {
  let from = 0
  for (const [i, { height }] of blocks.entries()) {
    if (!ends.has(height) && i < blocks.length - 1) continue
    yield { part: blocks.slice(from, i + 1), following: blocks[i + 1] ?? next }
    from = i + 1
  }
}

/** Applying a batch may show that a node told what cannot be. */
async function commit(writer: Writer, blocks: PreparedBlock[], options: CommitOptions): Promise<void> {
  try {
    await writer.commit(blocks, options)
  } catch (error) {
    const block = error instanceof Invariant ? blocks.find(({ height }) => height === error.facts.height) : undefined
    throw block ? new BlockImpossible(error as Invariant, block) : error
  }
}

function sizeOf(block: PreparedBlock): number {
  let size = block.blockRow.length + block.messageRows.length
  for (const tx of block.txs) size += tx.row.length
  for (const blob of block.blobs) size += blob.row.length
  return size
}
