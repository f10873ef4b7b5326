import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseRawBlock } from '../../chain/parse.ts'
import { openRecordingSource } from '../../chain/recording/source.ts'
import type { RawBlock } from '../../chain/source.ts'
import { ValidatorSet } from '../../chain/validator-set.ts'
import type { RpcBlock } from '../../chain/wire.ts'
import { packagePath } from '../../lib/package-path.ts'
import { divertAppHash, type ForgedBlock, forgeBlock, forgeBranch, toForgedBlock, toRawBlock } from './forge.ts'
import { type ReplayNode, type ReplayOptions, startReplayNode } from './node.ts'

const DIR = packagePath('data/recordings/test-1')
const CHAIN = { chainId: 'astrolabe-test-1' }
const never = new AbortController().signal
const opened: ReplayNode[] = []

after(async () => {
  for (const node of opened) await node.close()
})

async function start(options: ReplayOptions): Promise<ReplayNode> {
  const node = await startReplayNode(options)
  opened.push(node)
  return node
}

async function readForged(from: number, to: number): Promise<ForgedBlock[]> {
  const all: ForgedBlock[] = []
  const source = await openRecordingSource(DIR)
  for await (const chunk of source.blocks(from, to, never)) all.push(...chunk.map(toForgedBlock))
  return all
}

type Reply = {
  id: number
  result: RpcBlock & { sync_info: Record<string, string>; genesis: { chain_id: string }; total: string; data: string } & {
    validators: { pub_key: { value: string }; voting_power: string }[]
  }
  error: { code: number; data: string }
}

async function post<T = Reply>(node: ReplayNode, body: unknown): Promise<T> {
  const response = await fetch(node.url, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as T
}

const ask = (id: number, method: string, params: unknown = {}) => ({ jsonrpc: '2.0', id, method, params })
const get = async (node: ReplayNode, path: string) => {
  const response = await fetch(node.url + path)
  return { status: response.status, body: (await response.json()) as Reply }
}

async function readFrom(node: ReplayNode, height: number): Promise<RawBlock> {
  const [block, results] = await post<[Reply, Reply]>(node, [
    ask(0, 'block', { height: `${height}` }),
    ask(1, 'block_results', [`${height}`]),
  ])
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  return { height, block: bytes(block.result), results: bytes(results.result), origin: node.url }
}

test('a recording is served by POST, by GET and in batches', async () => {
  const node = await start({ dir: DIR })
  const { body } = await get(node, '/block?height=7')
  assert.equal(body.result.block.header.height, '7')
  assert.deepEqual(await post(node, ask(3, 'block', { height: '7' })), { ...body, id: 3 })
  assert.equal(parseRawBlock(await readFrom(node, 7), CHAIN).height, 7)
  assert.equal((await get(node, '/status')).body.result.sync_info.latest_block_height, '158')
  assert.equal((await get(node, '/genesis')).body.result.genesis.chain_id, CHAIN.chainId)
})

test('errors look like those of a node', async () => {
  const node = await start({ dir: DIR, maxBatchCalls: 2, genesisChunkBytes: 1000 })
  const above = await get(node, '/block?height=159')
  assert.equal(above.status, 500)
  assert.match(above.body.error.data, /must be less than or equal to the current blockchain height 158/)
  assert.deepEqual(await post(node, ask(0, 'nonsense')), {
    jsonrpc: '2.0',
    id: 0,
    error: { code: -32601, message: 'Method not found' },
  })
  const refused = await post(node, [ask(0, 'status'), ask(1, 'status'), ask(2, 'status')])
  assert.deepEqual([refused.error.code, refused.id], [-32600, undefined])
  assert.equal((await post(node, ask(0, 'block', { height: 'high' }))).error.code, -32602)
  const send = (body: string) => fetch(node.url, { method: 'POST', body })
  const garbage = await send('nonsense')
  assert.deepEqual([garbage.status, JSON.parse(await garbage.text()).error.code], [500, -32700])
  assert.equal(await (await send('[]')).text(), '')
  assert.match((await post(node, ask(0, 'genesis_chunked', ['99']))).error.data, /there are \d+ chunks, 99 is invalid/)
  assert.match((await post(node, ask(0, 'genesis'))).error.data, /genesis_chunked/)
  const { total, data } = (await post(node, ask(0, 'genesis_chunked', ['1']))).result
  assert.ok(Number(total) > 2)
  assert.equal(Buffer.from(data, 'base64').length, 1000)
})

test('the head moves on command and by time', async () => {
  const still = await start({ dir: DIR, startHeight: 10 })
  await still.advance(3)
  assert.equal(still.height, 13)
  still.setHeight(5)
  assert.match((await get(still, '/block?height=6')).body.error.data, /blockchain height 5/)
  const moving = await start({ dir: DIR, startHeight: 10, intervalMs: 1 })
  while (moving.height < 15) await get(moving, '/health')
  const ending = await start({ dir: DIR, startHeight: 150, intervalMs: 1, keepsLastBlock: true })
  while (ending.height < 157) await get(ending, '/health')
  for (let i = 0; i < 20; i++) await get(ending, '/health')
  assert.equal(ending.height, 157)
})

test('a forged branch passes every check and takes over from its height', async () => {
  const node = await start({ dir: DIR })
  const original = await readForged(148, 158)
  const branch = forgeBranch(original.slice(2), divertAppHash('b'))
  node.fork(branch.map((forged) => toRawBlock(forged)))
  let parent = parseRawBlock(await readFrom(node, 149), CHAIN)
  for (let height = 150; height <= 158; height++) {
    const block = parseRawBlock(await readFrom(node, height), CHAIN)
    assert.equal(block.parentHash, parent.hash)
    assert.equal(block.hashes.last_results_hash, parent.resultsHash)
    assert.notEqual(block.hash, original[height - 148]!.block.block_id.hash)
    parent = block
  }
})

test('a shorter branch takes the head down', async () => {
  const node = await start({ dir: DIR })
  const branch = forgeBranch(await readForged(140, 145), divertAppHash('b'))
  node.fork(branch.map((forged) => toRawBlock(forged)))
  assert.equal(node.height, 145)
  await node.advance(5)
  assert.equal(node.height, 145)
})

test('sealing an unchanged branch changes nothing but the parts', async () => {
  const original = await readForged(100, 110)
  const same = forgeBranch(original, () => {})
  assert.equal(same[0]!.block.block_id.hash, original[0]!.block.block_id.hash)
})

test('a chain from nothing can be served and read', async () => {
  const blocks: ForgedBlock[] = []
  for (let height = 1; height <= 3; height++) {
    const time = `2026-01-01T00:00:0${height}Z`
    blocks.push(forgeBlock({ chainId: 'made-1', height, time, txs: [Buffer.from([height])] }, blocks.at(-1)))
  }
  const node = await start({ blocks: blocks.map((forged) => toRawBlock(forged)), chainId: 'made-1' })
  const second = parseRawBlock(await readFrom(node, 2), { chainId: 'made-1' })
  const third = parseRawBlock(await readFrom(node, 3), { chainId: 'made-1' })
  assert.equal(third.parentHash, second.hash)
  assert.equal(third.hashes.last_results_hash, second.resultsHash)
  assert.deepEqual(third.txs, [new Uint8Array([3])])
})

test('a fault can be bound to methods, heights and times', async () => {
  const node = await start({ dir: DIR })
  node.faults.set('http-503', { methods: ['block'], from: 10, to: 20, times: 1 })
  const status = async (path: string) => (await fetch(node.url + path)).status
  assert.deepEqual(
    [await status('/block?height=9'), await status('/block_results?height=10'), await status('/status')],
    [200, 200, 200],
  )
  assert.equal(await status('/block?height=10'), 503)
  assert.equal(await status('/block?height=10'), 200)
  assert.equal(node.faults.hits.get('http-503'), 1)
})

test('votes are refused above the head and below what is kept, like blocks', async () => {
  const node = await start({ dir: DIR, startHeight: 100, faults: { pruned: { blocks: 50, methods: ['commit', 'validators'] } } })
  const refusal = async (method: string, height: string) => (await post(node, ask(0, method, { height }))).error.data
  assert.match(await refusal('commit', '101'), /must be less than or equal to the current blockchain height 100/)
  assert.match(await refusal('commit', '49'), /height 49 is not available, lowest height is 50/)
  assert.match(await refusal('validators', '102'), /must be less than or equal to the current blockchain height 101/)
  assert.match(await refusal('validators', '49'), /height 49 is not available, lowest height is 50/)
})

test('the validators of a height, page by page, are those of its header', async () => {
  const node = await start({ dir: packagePath('data/recordings/devnet') })
  for (const height of [1, 2, 250, 403]) {
    const { header } = (await post(node, ask(0, 'block', { height: String(height) }))).result.block
    const members: { publicKey: string; power: bigint }[] = []
    for (let page = 1, total = 1; members.length < total; page++) {
      const { result } = await post(node, ask(0, 'validators', { height: String(height), page: String(page), per_page: '2' }))
      total = Number(result.total)
      for (const { pub_key: key, voting_power: power } of result.validators)
        members.push({ publicKey: Buffer.from(key.value, 'base64').toString('hex'), power: BigInt(power) })
    }
    assert.equal(ValidatorSet.of(members).hash, header.validators_hash)
  }
  assert.match(
    (await post(node, ask(0, 'validators', { page: '9' }))).error.data,
    /page should be within \[1, 1\] range, given 9/,
  )
})
