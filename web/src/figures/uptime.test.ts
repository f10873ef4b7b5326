import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedPart, uptimeCells } from './uptime.ts'

const drawnMisses = (cells: ReturnType<typeof uptimeCells>) =>
  cells.reduce((sum, { from, to, missedPart }) => sum + missedPart * (to - from + 1), 0)

test('one missed block of a thousand takes a thousandth of the strip', () => {
  const cells = uptimeCells(5000, 1000, [4321])
  assert.equal(cells.length, 100)
  assert.ok(Math.abs(drawnMisses(cells) - 1) < 1e-9, `${drawnMisses(cells)} blocks are drawn as missed`)
  assert.deepEqual(
    cells.filter(({ count }) => count > 0).map(({ from, to, count }) => [from, to, count]),
    [[4321, 4330, 1]],
  )
})

test('as much is drawn as missed as was missed, however many blocks share a cell', () => {
  for (const [blocks, missed] of [
    [100, [4999, 4990]],
    [250, [4800, 4999, 5000]],
    [1000, Array.from({ length: 137 }, (_, i) => 4001 + 7 * i)],
  ] as [number, number[]][])
    assert.ok(Math.abs(drawnMisses(uptimeCells(5000, blocks, missed)) - missed.length) < 1e-9, `${blocks} blocks`)
})

test('the last cell may hold fewer blocks, and a chain without blocks has no cells', () => {
  assert.deepEqual(uptimeCells(250, 250, [250]).at(-1), { from: 250, to: 250, count: 1, missedPart: 1 })
  assert.deepEqual(uptimeCells(0, 0, []), [])
})

test('one missed block of many leaves less than all signed', () => {
  assert.equal(signedPart({ expected: 432_000, signed: 431_999 }), 0.9999)
  assert.equal(signedPart({ expected: 303, signed: 303 }), 1)
  assert.equal(signedPart({ expected: 8, signed: 7 }), 0.875)
  assert.equal(signedPart({ expected: 0, signed: 0 }), 0)
})
