import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseRawBlock } from '../../chain/parse.ts'
import { createRpcSource, type RpcSource } from '../../chain/rpc/source.ts'
import { packagePath } from '../../lib/package-path.ts'
import { type ReplayNode, startReplayNode } from '../../simulation/node/node.ts'
import { openReplayScript, parseScript } from './replay-script.ts'

const DIR = packagePath('data/recordings/test-1')
const never = new AbortController().signal
let node: ReplayNode
let source: RpcSource
let carryOut: (command: string) => Promise<string>

before(async () => {
  node = await startReplayNode({ dir: DIR, startHeight: 50 })
  source = createRpcSource({ urls: [node.url], listen: false })
  carryOut = await openReplayScript(DIR, node)
})

after(async () => {
  await source.close()
  await node.close()
})

async function readBlock(height: number) {
  return parseRawBlock((await source.readBlock(height, never))!, { chainId: 'astrolabe-test-1' })
}

test('a script is read line by line, in the order of its heights', () => {
  assert.deepEqual(parseScript('# a comment\n70 die 100\n\n 60  fork 3 \n'), [
    { height: 60, command: 'fork 3' },
    { height: 70, command: 'die 100' },
  ])
  assert.throws(() => parseScript('fork 3'), /line 1/)
})

test('fork after fork gives a chain that holds together and differs where it was told', async () => {
  await carryOut('advance 2')
  const before = await Promise.all([47, 48, 52].map(readBlock))
  await carryOut('fork 5')
  const once = await Promise.all([47, 48, 52].map(readBlock))
  await carryOut('fork 2')
  await carryOut('advance 3')
  const twice = await Promise.all([47, 48, 52].map(readBlock))
  const hashes = (blocks: { hash: string }[]) => blocks.map(({ hash }) => hash)
  assert.equal(once[0]!.hash, before[0]!.hash)
  assert.notEqual(once[1]!.hash, before[1]!.hash)
  assert.deepEqual(hashes(twice).slice(0, 2), hashes(once).slice(0, 2))
  assert.notEqual(twice[2]!.hash, once[2]!.hash)
  for (let height = 47; height <= 55; height++)
    assert.equal((await readBlock(height)).parentHash, (await readBlock(height - 1)).hash)
})

test('faults come and go with their options', async () => {
  await carryOut('fault lagging blocks=7 times=1 methods=status')
  assert.equal((await source.head(never)).height, 55 - 7)
  assert.equal((await source.head(never)).height, 55)
  await assert.rejects(carryOut('fault nonsense'), /unknown fault/)
  await assert.rejects(carryOut('fault slow speed=3'), /does not take/)
  await assert.rejects(carryOut('dance'), /unknown command/)
})
