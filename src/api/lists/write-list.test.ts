import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WrittenJson, writeBase64, writeJson } from '../http/write-json.ts'
import { LongList } from '../route.ts'
import { jsonStyle, streamJson, writeList } from './write-list.ts'

const ROWS = [{ a: 1 }, { text: '<b>', list: [1, 2] }, { a: null }, {}]
const list = (rows: unknown[]) => LongList.of(rows, async (row) => row)

test('a list that is written row by row reads as if it were written at once', async () => {
  for (const pretty of [false, true])
    for (const rows of [[], ROWS.slice(0, 1), ROWS])
      assert.deepEqual(await writeList(list(rows), jsonStyle(pretty), { client: 'a' }), {
        text: writeJson(rows, pretty),
        count: rows.length,
        last: rows.at(-1),
      })
  let streamed = ''
  for await (const chunk of streamJson(list(ROWS).rows())) streamed += chunk
  assert.equal(streamed, writeJson(ROWS))
})

test('a page ends with the row that makes it too long, and no row after it is made', async () => {
  let made = 0
  const rows = Array.from({ length: 10 }, (_, i) => ({ i, text: 'x'.repeat(100) }))
  const counted = LongList.of(rows, async (row) => {
    made++
    return row
  })
  const { text, count, last } = await writeList(counted, jsonStyle(false), { client: 'a', maxLength: 250 })
  assert.deepEqual([count, made, (last as { i: number }).i], [3, 3, 2])
  assert.deepEqual(JSON.parse(text), rows.slice(0, 3))
  assert.equal(
    (await writeList(list([{ text: 'x'.repeat(1000) }, {}]), jsonStyle(false), { client: 'a', maxLength: 250 })).count,
    1,
  )
})

test('JSON that is written already stands in its place', () => {
  const bytes = Buffer.alloc(100_000, 251)
  const value = { a: '&', data: new WrittenJson('{"b":"\\u003c"}'), more: [new WrittenJson('[1]'), writeBase64(bytes)], z: 1 }
  const plain = { a: '&', data: { b: '<' }, more: [[1], bytes.toString('base64')], z: 1 }
  assert.equal(writeJson(value), writeJson(plain))
  assert.deepEqual(JSON.parse(writeJson(value, true)), plain)
})
