/** One height as each generation of nodes prints it, read by the real parser. */
import { parseRawBlock } from '../../src/chain/parse.ts'
import type { RpcEvent } from '../../src/chain/wire.ts'
import { type BlockSpec, type ForgedBlock, forgeBlock, sealBlock, toRawBlock } from '../../src/simulation/node/forge.ts'
import type { ChainBlock, ChainEvent } from '../../src/types/chain.ts'
import { aBlock, type BuiltTx, blockTime, CHAIN_ID } from '../builders.ts'

export type Height = { txs: BuiltTx[]; begin: ChainEvent[]; end: ChainEvent[] }

/**
 * `0.34`: base64, begin and end lists. `stored`: the same results, served by a newer node. `multiplexed`: an old app run by a new node,
 * which lists tx events again among those of the block. `0.38`: as apps from 4 on are told.
 */
export type Layout = '0.34' | 'stored' | 'multiplexed' | '0.38'

const toRpc = ({ type, attributes }: ChainEvent): RpcEvent => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
})

const toBase64Rpc = ({ type, attributes }: ChainEvent): RpcEvent => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key: base64(key), value: value === '' ? null : base64(value), index: false })),
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

const inPart = (events: ChainEvent[], mode: string) =>
  events.map(({ type, attributes }): ChainEvent => ({ type, attributes: [...attributes, ['mode', mode]] }))

/** A chain of heights from 1 on. */
export function tellHeights(heights: Height[], layout: Layout, appVersion: number): ChainBlock[] {
  let parent: ForgedBlock | undefined
  return heights.map((each, i) => {
    parent = forgeHeight(i + 1, each, layout, appVersion, parent)
    return parseRawBlock(toRawBlock(parent), { chainId: CHAIN_ID })
  })
}

function forgeHeight(height: number, told: Height, layout: Layout, appVersion: number, parent?: ForgedBlock): ForgedBlock {
  const { txs, begin, end } = told
  const write = layout === '0.34' ? toBase64Rpc : toRpc
  const spec: BlockSpec = {
    chainId: CHAIN_ID,
    height,
    time: blockTime(height),
    appVersion,
    squareSize: aBlock(height, { txs }).squareSize,
    txs: txs.map(({ bytes }) => bytes),
    txResults: txs.map(({ result }) => ({
      code: result.code,
      codespace: result.codespace,
      // Old nodes repeat the events in the log.
      log: result.code === 0 && layout !== '0.38' ? '[{"msg_index":0,"events":[]}]' : result.log,
      gas_wanted: String(result.gasWanted),
      gas_used: String(result.gasUsed),
      events: result.events.map(write),
      signers: layout === '0.38' ? result.signers : null,
    })),
    events: blockEvents(told, layout).map(toRpc),
  }
  const forged = forgeBlock(spec, parent)
  if (layout === '0.34') {
    delete forged.results.finalize_block_events
    forged.results.begin_block_events = begin.length === 0 ? null : begin.map(write)
    forged.results.end_block_events = end.length === 0 ? null : end.map(write)
  }
  sealBlock(forged, parent)
  return forged
}

function blockEvents({ txs, begin, end }: Height, layout: Layout): ChainEvent[] {
  if (layout === 'multiplexed') return [...begin, ...txs.flatMap(({ result }) => result.events), ...end]
  return [...inPart(begin, 'BeginBlock'), ...inPart(end, 'EndBlock')]
}
