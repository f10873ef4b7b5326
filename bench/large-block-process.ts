/** A node whose chain has full blocks: 32 MiB of blobs in four txs, every third height. Started by `fork`; ends with its parent. */
import { forgeBlock, toRawBlock } from '../src/chain/replay/forge.ts'
import { startReplayNode } from '../src/chain/replay/node.ts'
import type { ChainEvent } from '../src/types/chain.ts'
import { aBlob, aGenesis, anAccount, aPayForBlobs, blockTime, CHAIN_ID } from '../test/builders.ts'

const BLOB_BYTES = 8 * 2 ** 20 - 512 * 1024
const BLOCKS = 9

const alice = anAccount('alice')
const data = Buffer.alloc(BLOB_BYTES, 'astrolabe ')
const txs = Array.from({ length: 4 }, (_, i) => aPayForBlobs(alice.text, [aBlob(`large-${i}`, data)]))
const toRpcEvent = ({ type, attributes }: ChainEvent) => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
})

let parent: ReturnType<typeof forgeBlock> | undefined
const blocks = Array.from({ length: BLOCKS }, (_, i) => {
  const height = i + 1
  const full = height % 3 === 0 ? txs : []
  parent = forgeBlock(
    {
      chainId: CHAIN_ID,
      height,
      time: blockTime(height),
      txs: full.map(({ bytes }) => bytes),
      txResults: full.map(({ result }) => ({
        gas_wanted: String(result.gasWanted),
        gas_used: String(result.gasUsed),
        events: result.events.map(toRpcEvent),
      })),
    },
    parent,
  )
  return toRawBlock(parent)
})

const genesis = Buffer.from(JSON.stringify(aGenesis({ balances: { [alice.text]: 10_000_000n } })))
const node = await startReplayNode({ blocks, chainId: CHAIN_ID, genesis })
process.send?.({ url: node.url })
process.on('disconnect', () => process.exit(0))
