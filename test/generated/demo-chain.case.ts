import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { demoInterval } from '../../src/simulation/generated/demo.ts'
import { openDemoChain } from '../../src/simulation/generated/demo-chain.ts'
import { toForgedBlock } from '../../src/simulation/node/forge.ts'

const folder = mkdtempSync(join(tmpdir(), 'astrolabe-demo-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const NOW = Date.parse('2026-11-15T12:00:00Z')
const headerOf = (raw: Parameters<typeof toForgedBlock>[0]) => toForgedBlock(raw).block.block.header

/** Tests of the default run. */
export function testDemoChain(): void {
  test('a past that was interrupted is continued later as if nothing had happened', async () => {
    const chains = { whole: join(folder, 'whole'), interrupted: join(folder, 'interrupted') }
    const whole = openDemoChain(chains.whole, NOW)
    whole.makePast(60)
    const begun = openDemoChain(chains.interrupted, NOW)
    assert.equal(begun.makePast(25), true)
    begun.close()
    for (const name of ['blocks.bin', 'places.bin']) appendFileSync(join(chains.interrupted, name), 'half a block')
    const continued = openDemoChain(chains.interrupted, NOW + 86_400_000)
    assert.equal(continued.last(), 25)
    assert.equal(continued.makePast(35), true)
    for (const height of [1, 25, 26, 60]) assert.deepEqual(await continued.block(height), await whole.block(height))
    whole.close()
    continued.close()
  })

  test('a demo that runs for a month leaves room on the disk', () => {
    let height = 1_600
    for (let ms = 0; ms < 31 * 86_400_000; ms += demoInterval(height)) height++
    assert.ok(height < 150_000, `${height} blocks`)
    assert.equal(demoInterval(1_600), 1_000)
  })
}

/** Tests of the long run. */
export function testDemoChainAtLength(): void {
  test('a demo chain starts with two months behind it and continues where it was closed', async () => {
    const first = openDemoChain(folder, NOW)
    assert.equal(first.makePast(Number.POSITIVE_INFINITY), false)
    first.produce(NOW)
    const { chainId } = first
    const last = first.last()
    const blocks = await Promise.all([1, last - 100, last].map((height) => first.block(height)))
    assert.ok(NOW - Date.parse(headerOf(blocks[0]!).time) > 60 * 86_400_000)
    first.close()

    const later = NOW + 7 * 86_400_000
    const second = openDemoChain(folder, later)
    assert.equal(second.makePast(100), false)
    assert.deepEqual([second.chainId, second.last()], [chainId, last])
    assert.deepEqual(await Promise.all([1, last - 100, last].map((height) => second.block(height))), blocks)
    second.produce(later)
    const next = headerOf((await second.block(last + 1))!)
    assert.equal(next.last_block_id.hash, toForgedBlock(blocks[2]!).block.block_id.hash)
    assert.ok(Date.parse(next.time) >= later)
    second.close()
  })

  test('what a crash left half written is cut off', async () => {
    const before = openDemoChain(folder, NOW)
    const last = before.last()
    before.close()
    for (const name of ['blocks.bin', 'places.bin']) appendFileSync(join(folder, name), 'half a block')
    const chain = openDemoChain(folder, NOW)
    assert.equal(chain.last(), last)
    chain.produce(NOW)
    assert.equal(headerOf((await chain.block(last + 1))!).height, String(last + 1))
    chain.close()
  })
}
