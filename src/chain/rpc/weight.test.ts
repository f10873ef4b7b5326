import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ForgedBlock, forgeBlock, toRawBlock } from '../../simulation/node/forge.ts'
import { type ReplayNode, startReplayNode } from '../../simulation/node/node.ts'
import { createRpcSource } from './source.ts'
import { createHttpTransport } from './transport.ts'

const MIB = 1024 * 1024
const TX_BYTES = 3 * MIB
/** Size of one such block on the wire: base64 and a small envelope. */
const BLOCK_BYTES = (TX_BYTES * 4) / 3 + 4096
const COUNT = 24
const never = new AbortController().signal
let node: ReplayNode

before(async () => {
  const blocks: ForgedBlock[] = []
  for (let height = 1; height <= COUNT; height++) {
    const time = new Date(Date.UTC(2026, 0, 1) + height * 6000).toISOString()
    const txs = height < 6 ? [] : [new Uint8Array(TX_BYTES).fill(height)]
    blocks.push(forgeBlock({ chainId: 'heavy-1', height, time, txs }, blocks.at(-1)))
  }
  node = await startReplayNode({ blocks: blocks.map((forged) => toRawBlock(forged)), chainId: 'heavy-1' })
})

after(() => node.close())

test('large blocks are held by weight, not by number', async () => {
  const maxBytesAhead = 10 * MIB
  const inner = createHttpTransport({ headersTimeoutMs: 5000, idleTimeoutMs: 5000, totalTimeoutMs: 30_000 })
  let received = 0
  let handedOut = 0
  let mostHeld = 0
  const transport: typeof inner = {
    close: inner.close,
    send: (exchange) =>
      inner.send({
        ...exchange,
        onBytes(bytes) {
          received += bytes
          mostHeld = Math.max(mostHeld, received - handedOut)
          return exchange.onBytes?.(bytes)
        },
      }),
  }
  const source = createRpcSource({ urls: [node.url], maxBytesAhead, transport, listen: false })
  const heights: number[] = []
  for await (const chunk of source.blocks(1, COUNT, never)) {
    for (const raw of chunk) {
      heights.push(raw.height)
      handedOut += raw.block.length + raw.results.length
    }
    // A slow consumer: whatever can be fetched meanwhile is.
    for (let i = 0; i < 50; i++) await nextTurn()
  }
  await source.close()
  transport.close()
  assert.deepEqual(
    heights,
    Array.from({ length: COUNT }, (_, i) => i + 1),
  )
  // The limit, one answer of five blocks that was asked for before their weight was known, and what sockets had read already.
  assert.ok(mostHeld < maxBytesAhead + 5 * BLOCK_BYTES + 2 * MIB, `${(mostHeld / MIB).toFixed(1)} MiB were held`)
  assert.ok(mostHeld > BLOCK_BYTES)
})

test('a reader that leaves while answers are held back is not kept waiting', async () => {
  const source = createRpcSource({ urls: [node.url], maxBytesAhead: MIB, listen: false })
  for await (const chunk of source.blocks(1, COUNT, never)) {
    for (let i = 0; i < 50; i++) await nextTurn()
    if (chunk.length > 0) break
  }
  await source.close()
})
