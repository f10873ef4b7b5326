/** A node of a chain of the main network's shape that proves its state. Started by `fork` with the number of blocks; continues from the height that it is sent, or stands there. Ends with its parent. */
import { ChainGenerator } from '../../src/simulation/generated/generator.ts'
import { toRawBlock } from '../../src/simulation/node/forge.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { MAINNET_PROFILE } from '../mainnet/mainnet.ts'

const CHAIN_ID = 'astrolabe-trust-1'
const GENESIS_TIME = Date.parse('2026-01-01T00:00:00Z')
const BLOCK_MS = 6_000
/** Between two blocks at the tip. */
const INTERVAL_MS = 300

// The votes for a block are in the next one.
const length = Number(process.argv[2]) + 1
const generator = new ChainGenerator({ chainId: CHAIN_ID, genesisTime: GENESIS_TIME, profile: MAINNET_PROFILE })
const blocks = Array.from({ length }, (_, i) => toRawBlock(generator.next(GENESIS_TIME + (i + 1) * BLOCK_MS)))
const { genesis, prove } = generator
const node = await startReplayNode({ chainId: CHAIN_ID, genesis, blocks, proveState: prove!, maxBatchCalls: 100 })
let timer: NodeJS.Timeout | undefined
process.on('message', ({ height, isMoving }: { height: number; isMoving: boolean }) => {
  clearInterval(timer)
  node.setHeight(height)
  if (!isMoving) return
  timer = setInterval(() => void (node.height < length - 1 && node.advance()), INTERVAL_MS)
})
process.on('disconnect', () => process.exit(0))
process.send!({ url: node.url })
