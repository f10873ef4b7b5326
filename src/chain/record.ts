import { readCheckedBlocks } from './checked-blocks.ts'
import { openRecordingWriter } from './recording/writer.ts'
import type { ChainSource } from './source.ts'

export type RecordOptions = {
  /** First height of a new recording; an existing one resumes where it stopped. The source's first height without it. */
  from?: number
  /** Last height, which may be still to come; the source's head without it. */
  to?: number
  onProgress?: (progress: { height: number; to: number; txs: number }) => void
  signal: AbortSignal
}

/** Saves checked blocks of `source` as a recording. An abort ends it properly: what was read until then is kept. */
export async function recordChain(
  source: ChainSource,
  dir: string,
  options: RecordOptions,
): Promise<{ from: number; to: number; txs: number }> {
  const { signal } = options
  const start = await source.head(signal)
  const writer = await openRecordingWriter(dir, {
    chainId: start.chainId,
    from: options.from ?? Math.max(1, start.earliest),
    genesis: () => source.genesis(signal),
    ...(start.nodeVersion !== undefined && { nodeVersion: start.nodeVersion }),
  })
  const from = writer.nextHeight
  const to = options.to ?? start.height
  let txs = 0
  try {
    while (writer.nextHeight <= to && !signal.aborted) {
      const head = await source.head(signal)
      if (head.height < writer.nextHeight) {
        await source.waitForHead(writer.nextHeight - 1, signal)
        continue
      }
      // One block more than wanted, when there is one: it seals the results of the last.
      const range = { chainId: start.chainId, from: writer.nextHeight, to: Math.min(head.height, to + 1) }
      for await (const { raw, block } of readCheckedBlocks(source, range, signal)) {
        if (raw.height > to || signal.aborted) break
        await writer.append(raw, block.txs.length, block.versionApp)
        txs += block.txs.length
        options.onProgress?.({ height: raw.height, to, txs })
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await writer.close()
  }
  return { from, to: writer.nextHeight - 1, txs }
}
