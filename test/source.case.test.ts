import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseRawBlock } from '../src/chain/parse.ts'
import { openRecordingSource } from '../src/chain/recording/source.ts'
import { createRpcSource } from '../src/chain/rpc/source.ts'
import type { BlockReader, ChainSource, RawBlock } from '../src/chain/source.ts'
import { NodeFault, OperatorError } from '../src/lib/errors.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { startReplayNode } from '../src/simulation/node/node.ts'

const DIR = packagePath('data/recordings/test-1')
const CHAIN = { chainId: 'astrolabe-test-1' }
const LAST = 158

type Opened = { source: ChainSource & BlockReader; stop: () => Promise<void> }

async function openOverRpc(node: { maxBatchCalls?: number; gzip?: boolean }): Promise<Opened> {
  const replay = await startReplayNode({ dir: DIR, ...node })
  return { source: createRpcSource({ urls: [replay.url], ...CHAIN, listen: false }), stop: () => replay.close() }
}

/** Whoever adds a source adds a line. */
const implementations: [string, () => Promise<Opened>][] = [
  ['a recording', async () => ({ source: await openRecordingSource(DIR, { chunkBytes: 64 * 1024 }), stop: async () => {} })],
  ['a node', () => openOverRpc({})],
  ['a node without batches that packs its answers', () => openOverRpc({ maxBatchCalls: 1, gzip: true })],
]

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

for (const [name, open] of implementations) {
  describe(`the source over ${name}`, () => {
    let opened: Opened
    let source: Opened['source']
    const never = new AbortController().signal

    before(async () => {
      opened = await open()
      source = opened.source
    })

    after(async () => {
      await source.close()
      await opened.stop()
    })

    async function collect(from: number, to: number): Promise<RawBlock[]> {
      const all: RawBlock[] = []
      for await (const chunk of source.blocks(from, to, never)) all.push(...chunk)
      return all
    }

    test('tells where it stands', async () => {
      const head = await source.head(never)
      assert.equal(head.chainId, CHAIN.chainId)
      assert.equal(head.height, LAST)
      assert.equal(head.earliest, 1)
      assert.equal(head.catchingUp, false)
      const [last] = await collect(LAST, LAST)
      assert.equal(head.time, parseRawBlock(last!, CHAIN).time)
    })

    test('has the genesis document', async () => {
      const genesis = JSON.parse(textOf(await source.genesis(never)))
      assert.equal(genesis.chain_id, CHAIN.chainId)
      assert.ok(genesis.app_state.bank)
    })

    test('gives all heights in order, each of them a whole block', async () => {
      const all = await collect(1, LAST)
      assert.deepEqual(
        all.map((raw) => raw.height),
        Array.from({ length: LAST }, (_, i) => i + 1),
      )
      let parentHash = ''
      for (const raw of all) {
        const block = parseRawBlock(raw, CHAIN)
        assert.equal(block.parentHash, parentHash)
        parentHash = block.hash
      }
    })

    test('gives exactly the heights that were asked for', async () => {
      const heights = (await collect(95, 107)).map((raw) => raw.height)
      assert.deepEqual(heights, [95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107])
    })

    test('gives chunks whose memory can be moved away', async () => {
      let chunks = 0
      let seen = 0
      for await (const chunk of source.blocks(1, LAST, never)) {
        const memory = new Set(chunk.flatMap((raw) => [raw.block.buffer, raw.results.buffer])) as Set<ArrayBuffer>
        const moved = structuredClone(chunk, { transfer: [...memory] })
        for (const raw of moved) assert.equal(parseRawBlock(raw, CHAIN).height, ++seen)
        chunks++
      }
      assert.equal(seen, LAST)
      assert.ok(chunks > 1)
    })

    test('stops when the reader leaves, and can start over', async () => {
      for await (const chunk of source.blocks(1, LAST, never)) if (chunk.length > 0) break
      assert.equal((await collect(1, 3)).length, 3)
    })

    test('stops with the reason of an abort', async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      await assert.rejects(async () => {
        for await (const _ of source.blocks(1, LAST, controller.signal)) controller.abort(reason)
      }, reason)
      await assert.rejects(source.blocks(1, LAST, controller.signal).next(), reason)
    })

    test('reads a single height', async () => {
      const [expected] = await collect(120, 120)
      const [one, two] = await Promise.all([source.readBlock(120, never), source.readBlock(120, never)])
      assert.equal(textOf(one!.block), textOf(expected!.block))
      assert.equal(textOf(one!.results), textOf(expected!.results))
      assert.notEqual(one!.block.buffer, two!.block.buffer)
      assert.equal(await source.readBlock(LAST + 1, never), undefined)
    })

    test('ends the wait for a new head with the signal', async () => {
      const controller = new AbortController()
      const waiting = source.waitForHead(LAST, controller.signal)
      controller.abort()
      await waiting
    })

    test('stops for the operator once its only origin was found lying', async () => {
      const { source: other, stop } = await open()
      const [raw] = (await other.blocks(5, 5, never).next()).value as RawBlock[]
      other.reportFault(raw!.origin, new NodeFault('header_hash', 'the header is not true', { height: 5 }))
      await assert.rejects(other.blocks(5, 5, never).next(), OperatorError)
      await other.close()
      await stop()
    })
  })
}
