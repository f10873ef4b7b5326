import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createFastClock } from '../../../test/clocks.ts'
import { OperatorError } from '../../lib/errors.ts'
import { packagePath } from '../../lib/package-path.ts'
import { createSeededRandom } from '../../lib/random.ts'
import type { FaultName, FaultOptions } from '../../simulation/node/faults.ts'
import { type ReplayNode, startReplayNode } from '../../simulation/node/node.ts'
import { readCheckedBlocks } from '../checked-blocks.ts'
import { openRecordingSource } from '../recording/source.ts'
import { createRpcSource, type RpcOptions, type RpcSource } from './source.ts'

/** Same seed, same faults; another one by `SEED=… npm test`. */
const SEED = Number(process.env.SEED ?? 20261115)
const DIR = packagePath('data/recordings/test-1')
const CHAIN_ID = 'astrolabe-test-1'
const LAST = 158
const never = new AbortController().signal

/** Hash and texts of every block of an undisturbed read. */
let oracle: string[]
const opened: { close(): Promise<void> }[] = []

before(async () => {
  oracle = await readAll(await openRecordingSource(DIR))
})

after(async () => {
  for (const one of opened) await one.close()
})

type Faults = Partial<Record<FaultName, FaultOptions>>

async function startNode(faults: Faults = {}): Promise<ReplayNode> {
  const node = await startReplayNode({ dir: DIR, seed: SEED, faults })
  opened.push(node)
  return node
}

/** Pauses pass a hundred times as fast as told; sockets and timeouts are real. */
function openSource(nodes: ReplayNode[], options: Partial<RpcOptions> = {}): RpcSource {
  const source = createRpcSource({
    urls: nodes.map((node) => node.url),
    chainId: CHAIN_ID,
    clock: createFastClock(100),
    random: createSeededRandom(SEED),
    timeoutMs: 20_000,
    listen: false,
    ...options,
  })
  opened.push(source)
  return source
}

async function readAll(source: Parameters<typeof readCheckedBlocks>[0], to = LAST): Promise<string[]> {
  const seen: string[] = []
  for await (const { raw, block } of readCheckedBlocks(source, { chainId: CHAIN_ID, from: 1, to }, never)) {
    seen.push(`${block.height} ${block.hash} ${Buffer.from(raw.block)} ${Buffer.from(raw.results)}`)
  }
  return seen
}

const countOf = (source: RpcSource, code: string) => source.nodes().reduce((sum, node) => sum + (node.counts[code] ?? 0), 0)

/** Fault of one single node, how it is counted, and how often it hits. */
const passing: [FaultName, string, FaultOptions][] = [
  ['http-500', 'http_500', { probability: 0.04 }],
  ['http-429', 'http_429', { probability: 0.04, retryAfterSeconds: 2 }],
  ['http-503', 'http_503', { probability: 0.04 }],
  ['reset', 'node_reset', { probability: 0.04 }],
  ['silence', 'node_timeout', { probability: 0.1, times: 3 }],
  ['slow', 'node_timeout', { probability: 0.1, times: 3, delayMs: 5000 }],
  ['truncated', 'not_json', { probability: 0.04 }],
  ['html', 'not_json', { probability: 0.04 }],
  ['empty', 'not_json', { probability: 0.04 }],
  ['gzip-bomb', 'answer_too_large', { probability: 0.1, times: 2 }],
  ['rpc-error', 'rpc_error', { probability: 0.04 }],
  ['wrong-id', 'bad_envelope', { probability: 0.05 }],
  ['missing-member', 'bad_envelope', { probability: 0.1 }],
  ['missing-results', 'no_results', { probability: 0.1 }],
  ['wrong-type', 'bad_field', { probability: 0.02 }],
  ['deep-nesting', 'bad_field', { probability: 0.02 }],
  ['wrong-height', 'wrong_height', { probability: 0.02 }],
  ['null-results', 'missing_results', { probability: 0.05 }],
]

/** Lies that can be seen through, with the heights at which they are told. */
const lies: [FaultName, FaultOptions, string][] = [
  ['wrong-chain-id', {}, 'another chain from the start'],
  ['wrong-chain-id', { from: 60 }, 'another chain in the middle'],
  ['tampered-header', { from: 60 }, 'a changed header'],
  ['tampered-results', { from: 60 }, 'changed results'],
  ['results-not-kept', {}, 'no results kept'],
]

/** Faults that pass, one of each kind. */
const COMMON = new Set(['http-503', 'reset', 'truncated', 'missing-results', 'wrong-type'])

function testPassing(cases: typeof passing): void {
  for (const [fault, code, options] of cases) {
    test(`a single node with ${fault} now and then is asked until it answers (seed ${SEED})`, async () => {
      const node = await startNode({ [fault]: { ...options, methods: ['block', 'block_results'] } })
      const source = openSource([node], code === 'node_timeout' ? { timeoutMs: 250 } : {})
      assert.deepEqual(await readAll(source), oracle)
      const hits = node.faults.hits.get(fault) ?? 0
      assert.ok(hits > 0, 'the fault never hit')
      assert.ok(countOf(source, code) > 0, `counts are ${JSON.stringify(source.nodes())}`)
    })
  }
}

/** Tests of the default run. */
export function testFaults(): void {
  testPassing(passing.filter(([fault]) => COMMON.has(fault)))

  test('a head that cannot be read is asked for again', async () => {
    for (const fault of ['http-503', 'html', 'empty', 'wrong-type', 'rpc-error', 'truncated'] as const) {
      const node = await startNode({ [fault]: { methods: ['status'], times: 3 } })
      const source = openSource([node])
      assert.equal((await source.head(never)).height, LAST)
      assert.equal(node.faults.hits.get(fault), 3)
    }
  })

  test('a node that dies and comes back is used again', async () => {
    const node = await startNode()
    const source = openSource([node])
    const seen: number[] = []
    for await (const chunk of source.blocks(1, LAST, never)) {
      seen.push(...chunk.map((raw) => raw.height))
      if (seen.length < LAST / 2 && node.requests.get('http')! < 40) {
        await node.die()
        await node.revive()
      }
    }
    assert.equal(seen.length, LAST)
  })

  test('a dead node is not asked more than a few times a second', async () => {
    const node = await startNode({ 'http-503': {} })
    const clock = createFastClock(100)
    const source = openSource([node], { clock })
    const giveUp = new AbortController()
    const startedAt = clock.now()
    const reading = source.blocks(1, LAST, giveUp.signal).next()
    await clock.sleep(60_000)
    giveUp.abort(new Error('enough'))
    await assert.rejects(reading, /enough/)
    const seconds = (clock.now() - startedAt) / 1000
    const sent = node.requests.get('http')!
    assert.ok(sent > 2 && sent / seconds < 2, `${sent} requests in ${seconds} s`)
  })

  test('a node of another chain is not asked for its head or genesis', async () => {
    const foreign = await startNode({ 'wrong-chain-id': {} })
    const alone = openSource([foreign])
    await assert.rejects(
      alone.head(never),
      (error: unknown) => error instanceof OperatorError && /another-chain/.test(error.message),
    )
    const both = openSource([foreign, await startNode()])
    assert.equal((await both.head(never)).chainId, CHAIN_ID)
    assert.equal(JSON.parse(Buffer.from(await both.genesis(never)).toString()).chain_id, CHAIN_ID)
    assert.ok(!foreign.requests.has('genesis_chunked'))
  })

  test('of two nodes one may lag behind', async () => {
    const source = openSource([await startNode({ lagging: { blocks: 50 } }), await startNode()])
    // With the fast clock the wait for the slower answer is a few milliseconds, so the higher head may come with the next question.
    while ((await source.head(never)).height < LAST) assert.ok(source.nodes().length === 2)
    assert.deepEqual(await readAll(source), oracle)
    assert.ok(source.nodes().every((node) => node.quarantined === undefined && node.failures === 0))
  })

  test('a head that goes backwards or catches up is told as it is, and blocks are not concerned', async () => {
    const node = await startNode({ 'head-backwards': { blocks: 9, times: 1 } })
    const source = openSource([node])
    assert.equal((await source.head(never)).height, LAST - 9)
    assert.equal((await source.head(never)).height, LAST)
    node.faults.set('catching-up', { blocks: 20, times: 1 })
    const head = await source.head(never)
    assert.deepEqual([head.height, head.catchingUp], [LAST - 20, true])
    assert.deepEqual(await readAll(source), oracle)
  })

  test('a height that the only node pruned stops the reader for the operator', async () => {
    const source = openSource([await startNode({ pruned: { blocks: 40 } })])
    await assert.rejects(readAll(source), (error: unknown) => error instanceof OperatorError && error.code === 'height_pruned')
    assert.equal(await source.readBlock(5, never), undefined)
    assert.equal((await source.readBlock(45, never))?.height, 45)
  })
}

/** Tests of the long run. */
export function testFaultsAtLength(): void {
  testPassing(passing)

  for (const [fault, options, name] of lies) {
    test(`a single node with ${name} stops the reader for the operator`, async () => {
      const source = openSource([await startNode({ [fault]: options })])
      const seen: string[] = []
      await assert.rejects(
        async () => {
          for await (const { raw, block } of readCheckedBlocks(source, { chainId: CHAIN_ID, from: 1, to: LAST }, never)) {
            seen.push(`${block.height} ${block.hash} ${Buffer.from(raw.block)} ${Buffer.from(raw.results)}`)
          }
        },
        (error: unknown) => error instanceof OperatorError && error.code === 'no_node_left',
      )
      assert.deepEqual(seen, oracle.slice(0, seen.length))
    })

    test(`of two nodes the one with ${name} is put aside and changes nothing`, async () => {
      const source = openSource([await startNode({ [fault]: options }), await startNode()])
      assert.deepEqual(await readAll(source), oracle)
      const [liar, honest] = source.nodes()
      assert.ok(liar?.quarantined)
      assert.equal(honest?.quarantined, undefined)
    })
  }

  test(`everything at once on two of three nodes changes nothing (seed ${SEED})`, async () => {
    const shaky: Faults = {
      'http-503': { probability: 0.05 },
      reset: { probability: 0.05 },
      truncated: { probability: 0.05 },
      html: { probability: 0.05 },
      'wrong-type': { probability: 0.02 },
      'missing-results': { probability: 0.05 },
      'wrong-height': { probability: 0.02 },
      lagging: { probability: 0.1, blocks: 30 },
    }
    const nodes = [
      await startNode(shaky),
      await startNode({ ...shaky, 'tampered-header': { probability: 0.02 } }),
      await startNode(shaky),
    ]
    assert.deepEqual(await readAll(openSource(nodes)), oracle)
  })
}
