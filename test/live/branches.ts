import { openRecordingSource } from '../../src/chain/recording/source.ts'
import type { RawBlock } from '../../src/chain/source.ts'
import { buildSquare } from '../../src/decode/square/build-square.ts'
import { computeDataRoot } from '../../src/decode/square/data-root.ts'
import { toSquareTx } from '../../src/decode/square/square-tx.ts'
import { toHexUpper } from '../../src/lib/encoding/bytes.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import {
  divertAppHash,
  type ForgedBlock,
  forgeBlock,
  forgeBranch,
  sealBlock,
  toForgedBlock,
  toRawBlock,
} from '../../src/simulation/node/forge.ts'

const never = new AbortController().signal

/** Blocks of a recording as values. */
export async function readForged(recording: string, from: number, to: number): Promise<ForgedBlock[]> {
  const source = await openRecordingSource(packagePath('data/recordings', recording))
  const blocks: ForgedBlock[] = []
  for await (const chunk of source.blocks(from, to, never)) blocks.push(...chunk.map(toForgedBlock))
  await source.close()
  return blocks
}

/** History under other hashes: the branch of a fork that changed nothing else. */
export function renameBranch(blocks: readonly ForgedBlock[], name: string): ForgedBlock[] {
  return forgeBranch(blocks, divertAppHash(name))
}

/**
 * Another history: `count` empty blocks come first, so everything after happens at other heights, with other ids. `blocks` is the
 * history from the parent on, which is not part of the branch.
 */
export function delayBranch([parent, ...blocks]: readonly ForgedBlock[], count: number): ForgedBlock[] {
  const branch: ForgedBlock[] = []
  const { header } = parent!.block.block
  for (let i = 1; i <= count; i++) {
    const spec = {
      chainId: header.chain_id,
      height: parent!.height + i,
      time: new Date(Date.parse(header.time) + i).toISOString(),
      appVersion: Number(header.version.app),
      proposer: header.proposer_address,
      signatures: parent!.block.block.last_commit.signatures ?? [],
    }
    branch.push(forgeBlock(spec, branch.at(-1) ?? parent))
  }
  for (const original of blocks) {
    const moved = structuredClone(original)
    moved.height += count
    moved.block.block.header.height = String(moved.height)
    moved.results.height = String(moved.height)
    sealBlock(moved, branch.at(-1)!)
    branch.push(moved)
  }
  return branch
}

/** Another history: the blob txs of the first block stand in reverse order, and so do their results. */
export function reorderBranch(blocks: readonly ForgedBlock[]): ForgedBlock[] {
  return forgeBranch(blocks, ({ block: { block }, results }) => {
    const versionApp = Number(block.header.version.app)
    const toParts = (txs: readonly string[]) => txs.map((tx) => toSquareTx(Buffer.from(tx, 'base64'), versionApp))
    const txs = block.data.txs ?? []
    const first = toParts(txs).findIndex(({ blobs }) => blobs.length > 0)
    const reverse = <T>(list: readonly T[]) => [...list.slice(0, first), ...list.slice(first).reverse()]
    block.data.txs = reverse(txs)
    results.txs_results = reverse(results.txs_results ?? [])
    block.header.data_hash = toHexUpper(computeDataRoot(buildSquare(toParts(block.data.txs))))
  })
}

/** A history of `count` blocks in which nothing happens any more. */
export function emptyBranch(history: readonly ForgedBlock[], count: number): ForgedBlock[] {
  return delayBranch(history.slice(0, 1), count)
}

export function toRaw(blocks: readonly ForgedBlock[]): RawBlock[] {
  return blocks.map((forged) => toRawBlock(forged))
}
