import { paceSource } from '../chain/recording/paced.ts'
import { openRecordingSource } from '../chain/recording/source.ts'
import { createRpcSource } from '../chain/rpc/source.ts'
import type { BlockReader, ChainSource } from '../chain/source.ts'
import type { NetworkConfig } from '../config/schema.ts'

/** The place a network's blocks come from. `live` lets the last blocks of a recording come one by one. */
export async function openSource(network: NetworkConfig, live: boolean): Promise<ChainSource & BlockReader> {
  if (network.rpc)
    return createRpcSource({ urls: network.rpc, ...(network.chain_id !== undefined && { chainId: network.chain_id }) })
  const source = await openRecordingSource(network.recording!)
  if (!live || !network.live_blocks) return source
  const head = await source.head(new AbortController().signal)
  return paceSource(source, {
    startHeight: Math.max(head.earliest, head.height - network.live_blocks),
    intervalMs: network.live_interval_ms ?? 1000,
  })
}
