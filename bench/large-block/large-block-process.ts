/**
 * A node whose chain has full blocks: 30 MiB of blobs, a square of side 256, in four txs, at the first heights that 3 divides and at the one whose data root is
 * rebuilt. Started by `fork`; ends with its parent.
 */

import { buildSquare } from '../../src/decode/square/build-square.ts'
import { computeDataRoot } from '../../src/decode/square/data-root.ts'
import { toSquareTx } from '../../src/decode/square/square-tx.ts'
import { toHexUpper } from '../../src/lib/encoding/bytes.ts'
import { forgeBlock, toRawBlock } from '../../src/simulation/node/forge.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import { aBlob, aGenesis, anAccount, aPayForBlobs, blockTime, CHAIN_ID } from '../../test/builders.ts'

/** Four of them just fit into a square of side 256; a little more would make it one of side 512 that is mostly padding. */
const BLOB_BYTES = 8 * 2 ** 20 - 640 * 1024
const BLOCKS = 100

const alice = anAccount('alice')
const data = Buffer.alloc(BLOB_BYTES, 'astrolabe ')
const txs = Array.from({ length: 4 }, (_, i) => aPayForBlobs(alice.text, [aBlob(`large-${i}`, data)]))
const toRpcEvent = ({ type, attributes }: ChainEvent) => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
})

const square = buildSquare(txs.map(({ bytes }) => toSquareTx(bytes, 9)))
const dataHash = toHexUpper(computeDataRoot(square))

let parent: ReturnType<typeof forgeBlock> | undefined
const blocks = Array.from({ length: BLOCKS }, (_, i) => {
  const height = i + 1
  const isFull = (height < 10 && height % 3 === 0) || height === BLOCKS
  const full = isFull ? txs : []
  parent = forgeBlock(
    {
      chainId: CHAIN_ID,
      height,
      time: blockTime(height),
      txs: full.map(({ bytes }) => bytes),
      ...(isFull ? { dataHash, squareSize: square.size } : {}),
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
