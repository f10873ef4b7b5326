import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { OperatorError } from '../lib/errors.ts'
import { packagePath } from '../lib/package-path.ts'
import { type ReplayNode, startReplayNode } from '../simulation/node/node.ts'
import { recordChain } from './record.ts'
import { openRecording } from './recording/reader.ts'
import { openRecordingSource } from './recording/source.ts'
import { createRpcSource, type RpcSource } from './rpc/source.ts'
import type { ChainSource } from './source.ts'

const DIR = packagePath('data/recordings/test-1')
const never = new AbortController().signal
let node: ReplayNode
let source: RpcSource
let root: string

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'record-'))
  node = await startReplayNode({ dir: DIR, startHeight: 120 })
  source = createRpcSource({ urls: [node.url], pollMs: 5, listen: false })
})

after(async () => {
  await source.close()
  await node.close()
  await rm(root, { recursive: true })
})

async function readTexts(from: ChainSource, to: number): Promise<string[]> {
  const texts: string[] = []
  for await (const chunk of from.blocks(1, to, never)) {
    for (const raw of chunk) texts.push(`${Buffer.from(raw.block)}${Buffer.from(raw.results)}`)
  }
  return texts
}

test('a node is recorded, stopped in the middle, followed, and the result is the same chain', async () => {
  const dir = join(root, 'followed')
  const stop = new AbortController()
  const first = await recordChain(source, dir, {
    signal: stop.signal,
    onProgress: ({ height }) => {
      if (height === 50) stop.abort()
    },
  })
  assert.ok(first.to >= 50 && first.to < 120)
  const second = await recordChain(source, dir, { signal: never })
  assert.deepEqual([second.from, second.to], [first.to + 1, 120])
  const rest = recordChain(source, dir, {
    to: 158,
    signal: never,
    onProgress: () => void node.advance(20),
  })
  await node.advance(1)
  assert.equal((await rest).to, 158)

  const { manifest } = await openRecording(dir)
  const { manifest: original } = await openRecording(DIR)
  assert.deepEqual(manifest, original)
  const recorded = await openRecordingSource(dir)
  const wanted = await openRecordingSource(DIR)
  assert.deepEqual(await recorded.genesis(never), await wanted.genesis(never))
  assert.deepEqual(await readTexts(recorded, 158), await readTexts(wanted, 158))
})

test('nothing that fails a check is recorded', async () => {
  const liar = await startReplayNode({ dir: DIR, faults: { 'tampered-results': { from: 30 } } })
  const deceived = createRpcSource({ urls: [liar.url], listen: false })
  const dir = join(root, 'deceived')
  await assert.rejects(recordChain(deceived, dir, { signal: never }), OperatorError)
  const recorded = await openRecordingSource(dir)
  const { height } = await recorded.head(never)
  assert.ok(height < 158)
  assert.deepEqual(await readTexts(recorded, height), await readTexts(await openRecordingSource(DIR), height))
  await deceived.close()
  await liar.close()
})

test('a part of a chain can be recorded', async () => {
  const dir = join(root, 'part')
  const part = await recordChain(source, dir, { from: 95, to: 105, signal: never })
  assert.deepEqual([part.from, part.to], [95, 105])
  const recorded = await openRecordingSource(dir)
  const head = await recorded.head(never)
  assert.deepEqual([head.earliest, head.height], [95, 105])
  assert.equal((await recorded.readBlock(100, never))?.height, 100)
})
