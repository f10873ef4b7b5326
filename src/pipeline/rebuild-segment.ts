import { parseRawBlock } from '../chain/parse.ts'
import type { BlockReader } from '../chain/source.ts'
import { deriveBlock } from '../derive/block.ts'
import { NodeFault, Transient } from '../lib/errors.ts'
import { packEvents } from '../store/pack/event-pack.ts'
import { packTxs } from '../store/pack/packed-txs.ts'
import type { SegmentRecord } from '../store/segments/format.ts'
import { type HeightRange, toRecord } from '../store/segments/seal.ts'

export type RebuildOptions = {
  source: BlockReader
  chainId: string
  /** of the indexed block, lower-case hex */
  hashAt: (height: number) => Promise<string | undefined>
}

/** The records of a segment once more, from the blocks of a node. */
export async function rebuildRecords(
  { source, chainId, hashAt }: RebuildOptions,
  { first, last }: HeightRange,
  signal: AbortSignal,
): Promise<SegmentRecord[]> {
  const records: SegmentRecord[] = []
  for (let height = first; height <= last; height++) {
    const raw = await source.readBlock(height, signal)
    if (!raw) throw new Transient('block_not_available', `no node has height ${height}, which a segment needs`, { height })
    const block = parseRawBlock(raw, { chainId })
    if (block.hash.toLowerCase() !== (await hashAt(height)))
      throw new NodeFault('other_branch', `the node has another block at height ${height}`, { height })
    const facts = deriveBlock(block)
    records.push(toRecord('block', height, 0, packEvents(facts.events)))
    for (const tx of facts.txs) records.push(toRecord('tx', height, tx.position, packEvents(tx.events)))
    facts.messages.forEach((message, i) => {
      records.push(toRecord('message', height, i, Buffer.from(message.value)))
    })
    records.push(toRecord('txs', height, 0, packTxs(block.txs)))
  }
  return records
}
