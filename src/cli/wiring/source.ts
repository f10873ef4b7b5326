import type { Logger } from 'pino'
import { readGenesisFile } from '../../chain/genesis-file.ts'
import { paceSource } from '../../chain/recording/paced.ts'
import { openRecordingSource } from '../../chain/recording/source.ts'
import type { NodeRequest, NodeState } from '../../chain/rpc/pool.ts'
import { createRpcSource } from '../../chain/rpc/source.ts'
import type { BlockReader, ChainSource } from '../../chain/source.ts'
import type { NetworkConfig } from '../../config/schema.ts'
import type { Indexed } from './indexed.ts'

export type OpenSourceOptions = {
  /** the last blocks of a recording come one by one */
  live: boolean
  /** what is indexed already: a recording is not played again below its height, nodes of another chain are not asked */
  indexed?: Indexed | undefined
  /** hears of nodes that fail: they are retried without end, and someone may be waiting */
  log?: Logger
  /** hears of every request to a node */
  onRequest?: (request: NodeRequest) => void
}

/** A recording has no nodes. */
export type OpenedSource = ChainSource & BlockReader & { nodes?: () => NodeState[] }

/** The place a network's blocks come from, and the genesis document that the index begins with. */
export async function openSource(network: NetworkConfig, options: OpenSourceOptions = { live: false }): Promise<OpenedSource> {
  if (network.genesis === undefined) return openBlocks(network, options)
  const { document } = await readGenesisFile(network.genesis)
  const source = await openBlocks(network, options)
  return { ...source, genesis: async () => document }
}

async function openBlocks(network: NetworkConfig, { live, indexed, log, onRequest }: OpenSourceOptions): Promise<OpenedSource> {
  const chainId = network.chain_id ?? indexed?.chainId
  if (network.rpc)
    return createRpcSource({
      urls: network.rpc,
      ...(chainId !== undefined && { chainId }),
      ...(log && { log: createNodeLog(log.child({ network: network.name })) }),
      ...(onRequest && { onRequest }),
    })
  const source = await openRecordingSource(network.recording!)
  if (!live || !network.live_blocks) return source
  const head = await source.head(new AbortController().signal)
  return paceSource(source, {
    startHeight: Math.min(head.height, Math.max(head.earliest, head.height - network.live_blocks, indexed?.height ?? 0)),
    intervalMs: network.live_interval_ms ?? 1000,
  })
}

/** Where a recording ends; undefined for nodes, whose chain has no end. */
export async function lastRecordedHeight({ recording }: NetworkConfig): Promise<number | undefined> {
  if (recording === undefined) return undefined
  const source = await openRecordingSource(recording)
  const { height } = await source.head(new AbortController().signal)
  await source.close()
  return height
}

const NEXT: Record<string, string> = {
  'node failed': 'other nodes are asked, and this one again later',
  'node fault': 'what it said is not used',
}

/** At the tip a node often does not have the next height yet: that is no trouble. */
export function createNodeLog(log: Logger): (event: string, fields: Record<string, unknown>) => void {
  return (event, fields) => {
    const message = NEXT[event] === undefined ? event : `${event}: ${NEXT[event]}`
    if (fields.kind === 'behind') log.debug(fields, message)
    else log.warn(fields, message)
  }
}
