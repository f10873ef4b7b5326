import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAhead } from '../chain/recording/source.ts'

test('items come in order and no more than `ahead` are made early', async () => {
  let made = 0
  async function* count() {
    while (made < 10) yield ++made
  }
  const seen: number[] = []
  for await (const item of readAhead(count(), 2)) {
    seen.push(item)
    assert.ok(made <= item + 3)
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('an error arrives after the items before it', async () => {
  async function* failing() {
    yield 1
    yield 2
    throw new Error('broken')
  }
  const seen: number[] = []
  await assert.rejects(async () => {
    for await (const item of readAhead(failing(), 4)) seen.push(item)
  }, /broken/)
  assert.deepEqual(seen, [1, 2])
})

test('leaving the loop closes the source', async () => {
  let isClosed = false
  async function* endless() {
    try {
      for (let i = 0; ; i++) yield i
    } finally {
      isClosed = true
    }
  }
  for await (const item of readAhead(endless(), 2)) if (item === 3) break
  assert.ok(isClosed)
})
