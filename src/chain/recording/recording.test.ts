import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { OperatorError } from '../../lib/errors.ts'
import { type ForgedBlock, forgeBlock, toRawBlock } from '../../simulation/node/forge.ts'
import type { RawBlock } from '../source.ts'
import { joinLine, orderBlockFiles, splitLine } from './format.ts'
import { openRecording } from './reader.ts'
import { openRecordingSource } from './source.ts'
import { openRecordingWriter } from './writer.ts'

const never = new AbortController().signal
const genesis = async () => Buffer.from('{"chain_id":"forged-1"}')
const options = { chainId: 'forged-1', from: 1, genesis }
const chain: RawBlock[] = []
const dirs: string[] = []

before(() => {
  let parent: ForgedBlock | undefined
  for (let height = 1; height <= 230; height++) {
    const time = new Date(Date.UTC(2026, 0, 1) + height * 6000).toISOString()
    parent = forgeBlock({ chainId: 'forged-1', height, time, txs: [Buffer.from(`tx ${height}`)] }, parent)
    chain.push(toRawBlock(parent))
  }
})

after(async () => {
  for (const dir of dirs) await rm(dir, { recursive: true })
})

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'recording-'))
  dirs.push(dir)
  return dir
}

async function record(dir: string, to: number, more = {}): Promise<number> {
  const writer = await openRecordingWriter(dir, { ...options, ...more })
  const from = writer.nextHeight
  for (const raw of chain.slice(from - 1, to)) await writer.append(raw, 1, 9)
  await writer.close()
  return from
}

async function readAll(dir: string, chunkBytes = 1 << 20): Promise<RawBlock[]> {
  const source = await openRecordingSource(dir, { chunkBytes })
  const { earliest, height } = await source.head(never)
  const all: RawBlock[] = []
  for await (const chunk of source.blocks(earliest, height, never)) all.push(...chunk)
  return all
}

const texts = (blocks: RawBlock[]) =>
  blocks.map((raw) => [raw.height, Buffer.from(raw.block).toString(), Buffer.from(raw.results).toString()])
const blockFiles = async (dir: string) => orderBlockFiles(await readdir(dir)).map((file) => [file.from, file.to])
const rejectsNaming = (pattern: RegExp) => (error: unknown) => error instanceof OperatorError && pattern.test(error.message)

test('what is written is read back, hundred heights a file', async () => {
  const dir = await makeDir()
  await record(dir, 230)
  assert.deepEqual(await blockFiles(dir), [
    [1, 100],
    [101, 200],
    [201, 230],
  ])
  assert.deepEqual(texts(await readAll(dir)), texts(chain))
  const { manifest } = await openRecording(dir)
  assert.deepEqual(manifest, { chain_id: 'forged-1', node_version: '', app_version: '9', from: 1, to: 230, txs: 230 })
  assert.equal(gunzipSync(await readFile(join(dir, 'genesis.json.gz'))).toString(), '{"chain_id":"forged-1"}')
})

test('a stopped recording resumes where it stopped and looks as if it never had', async () => {
  const dir = await makeDir()
  assert.equal(await record(dir, 42), 1)
  assert.equal(await record(dir, 150), 43)
  assert.equal(await record(dir, 200), 151)
  assert.equal(await record(dir, 230), 201)
  assert.deepEqual(texts(await readAll(dir)), texts(chain))
  assert.deepEqual((await blockFiles(dir)).length, 3)
  assert.equal((await openRecording(dir)).manifest.txs, 230)
})

test('a file that was never finished is thrown away', async () => {
  const dir = await makeDir()
  const writer = await openRecordingWriter(dir, options)
  for (const raw of chain.slice(0, 120)) await writer.append(raw, 1, 9)
  // No close: the process is gone.
  assert.equal(await record(dir, 230), 101)
  assert.deepEqual(texts(await readAll(dir)), texts(chain))
  assert.ok(!(await readdir(dir)).some((name) => name.endsWith('.partial')))
})

for (const to of [142, 200]) {
  test(`a damaged last file keeps the lines before the damage (${to} recorded)`, async () => {
    const dir = await makeDir()
    await record(dir, to)
    const name = orderBlockFiles(await readdir(dir)).at(-1)!.name
    await truncate(join(dir, name), Math.floor((await readFile(join(dir, name))).length / 2))
    const writer = await openRecordingWriter(dir, options)
    assert.ok(writer.nextHeight > 101 && writer.nextHeight <= to, `continues at ${writer.nextHeight}`)
    await writer.close()
    assert.equal((await openRecording(dir)).manifest.txs, writer.nextHeight - 1)
    await record(dir, 230)
    assert.deepEqual(texts(await readAll(dir)), texts(chain))
    assert.equal((await openRecording(dir)).manifest.txs, 230)
  })
}

test('a file ends early when its blocks are large', async () => {
  const dir = await makeDir()
  await record(dir, 30, { fileBytes: 10_000 })
  assert.ok((await blockFiles(dir)).length > 3)
  assert.deepEqual(texts(await readAll(dir)), texts(chain.slice(0, 30)))
})

test('a recording of another chain is not continued', async () => {
  const dir = await makeDir()
  await record(dir, 5)
  await assert.rejects(openRecordingWriter(dir, { ...options, chainId: 'other-1' }), rejectsNaming(/forged-1/))
})

test('a height out of turn is refused', async () => {
  const writer = await openRecordingWriter(await makeDir(), options)
  await assert.rejects(writer.append(chain[4]!, 0, 9), rejectsNaming(/continues at 1, not at 5/))
})

test('chunks end by size and do not share memory', async () => {
  const dir = await makeDir()
  await record(dir, 230)
  const source = await openRecordingSource(dir, { chunkBytes: 1 })
  const seen = new Set<ArrayBufferLike>()
  let height = 1
  for await (const chunk of source.blocks(1, 230, never)) {
    const memory = chunk[0]!.block.buffer
    assert.ok(!seen.has(memory))
    seen.add(memory)
    for (const raw of chunk) assert.equal(raw.height, height++)
    structuredClone(memory, { transfer: [memory as ArrayBuffer] })
  }
  assert.equal(height, 231)
})

test('a cut file names itself and the line', async () => {
  const dir = await makeDir()
  await record(dir, 230)
  const [, second] = orderBlockFiles(await readdir(dir))
  const path = join(dir, second!.name)
  const whole = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
  const cases: [string, Buffer][] = [
    ['line 31', gzipSync(`${whole.slice(0, 30).join('\n')}\n${whole[30]!.slice(0, 100)}`)],
    ['line 31', gzipSync(`${[...whole.slice(0, 30), '<html>', ...whole.slice(31)].join('\n')}`)],
    ['after line 30; height 131', gzipSync(`${whole.slice(0, 30).join('\n')}\n`)],
    ['line \\d+', gzipSync(whole.join('\n')).subarray(0, 900)],
    ['unexpected end of file', gzipSync(whole.join('\n')).subarray(0, -6)],
    ['line 1', Buffer.from('not gzip at all')],
  ]
  for (const [reason, bytes] of cases) {
    await writeFile(path, bytes)
    await assert.rejects(readAll(dir), rejectsNaming(new RegExp(`${second!.name}.*${reason}`)), reason)
  }
})

test('a missing file is noticed before anything is read', async () => {
  const dir = await makeDir()
  await record(dir, 230)
  await rm(join(dir, orderBlockFiles(await readdir(dir))[1]!.name))
  await assert.rejects(openRecordingSource(dir), rejectsNaming(/heights 101 to 230 are in no file/))
  await assert.rejects(openRecordingSource(join(dir, 'nowhere')), rejectsNaming(/ENOENT/))
})

test('a single height can be read, and its memory is the caller\u2019s own', async () => {
  const dir = await makeDir()
  await record(dir, 230)
  const source = await openRecordingSource(dir)
  const [first, again] = await Promise.all([source.readBlock(150, never), source.readBlock(150, never)])
  assert.deepEqual(texts([first!]), texts([chain[149]!]))
  assert.notEqual(first!.block.buffer, again!.block.buffer)
  assert.equal(await source.readBlock(231, never), undefined)
})

test('the key of the results inside a text does not split a line', () => {
  const tricky = {
    height: 3,
    block: Buffer.from('{"memo":",\\"block_results\\":{}"}'),
    results: Buffer.from('{"a":{}}'),
    origin: '',
  }
  const line = Buffer.concat(joinLine(tricky))
  const split = splitLine(line, 0, line.length - 1, 3, '')
  assert.equal(Buffer.from(split!.block).toString(), tricky.block.toString())
  assert.equal(Buffer.from(split!.results).toString(), tricky.results.toString())
})

test('indented answers become one line', () => {
  const raw = { height: 3, block: Buffer.from('{\n  "a": 1\n}'), results: Buffer.from('{}'), origin: '' }
  assert.equal(Buffer.concat(joinLine(raw)).toString(), '{"height":3,"block":{"a":1},"block_results":{}}\n')
})
