import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportWindow } from './export-window.ts'

const seconds = (time: string) => Date.parse(time) / 1000
const NOW = '2026-11-15T02:36:47.952765Z'

test('without bounds an export covers the month up to the head and the head itself', () => {
  assert.deepEqual(exportWindow({}, NOW), { from: '2026-10-15T02:36:47.952Z' })
})

test('one bound alone opens a month on its other side', () => {
  assert.deepEqual(exportWindow({ from: seconds('2026-01-05T00:00:00Z') }, NOW), {
    from: '2026-01-05T00:00:00.000Z',
    to: '2026-02-05T00:00:00.000Z',
  })
  assert.deepEqual(exportWindow({ to: seconds('2026-03-05T00:00:00Z') }, NOW), {
    from: '2026-02-05T00:00:00.000Z',
    to: '2026-03-05T00:00:00.000Z',
  })
})

test('two bounds stand up to thirty days apart and become the first month beyond', () => {
  const from = seconds('2026-01-01T00:00:00Z')
  assert.equal(exportWindow({ from, to: from + 30 * 86_400 }, NOW).to, '2026-01-31T00:00:00.000Z')
  assert.equal(exportWindow({ from, to: from + 30 * 86_400 + 1 }, NOW).to, '2026-02-01T00:00:00.000Z')
})

test('bounds in the wrong order give an empty window', () => {
  const { from, to } = exportWindow({ from: seconds('2026-02-01T00:00:00Z'), to: seconds('2026-01-01T00:00:00Z') }, NOW)
  assert.ok(to! < from)
})
