import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Head } from '../../store/read/head/head.ts'
import { BadRequest } from '../http/errors.ts'
import { ANYONE } from '../route.ts'
import { handleAtOffset } from './offset.ts'

const head = (total: number) =>
  ({ last_height: 0, total_tx: total, total_messages: 0, total_events: 0, total_blobs: 0, total_accounts: 0 }) as Head

type Query = { limit: number; offset: number; cursor?: number; sort?: string }

/** A list of so many rows, and the queries it was asked with. */
function aList(length: number, deepestOffset = 1_000_000) {
  const asked: Query[] = []
  const handle = ({ query }: { query: Record<string, unknown> }) => {
    const { limit, offset } = query as Query
    asked.push(query as Query)
    return Array.from({ length: Math.max(Math.min(limit, length - offset), 0) }, (_, i) => offset + i)
  }
  const read = (query: Query, of: Head | undefined) =>
    handleAtOffset(
      { handle, deepestOffset, cursorOf: (row) => Number(row) },
      { query, params: {}, body: {}, client: ANYONE },
      of,
    ) as Promise<number[]>
  return { asked, read }
}

const LONG = head(10_000_000)
const isRefusal = (error: unknown) => error instanceof BadRequest && error.param === 'offset' && error.code === 'offset_too_deep'

test('an offset that an index can skip is left alone', async () => {
  const list = aList(2_000_000)
  for (const offset of [0, 1, 999_999, 1_000_000]) assert.deepEqual(await list.read({ limit: 1, offset }, head(5)), [offset])
  assert.equal(list.asked.length, 4)
})

test('an offset beyond everything the chain has is an empty page', async () => {
  for (const offset of [1_000_001, 2 ** 31, 2 ** 53 - 1]) {
    const list = aList(1000)
    assert.deepEqual(await list.read({ limit: 10, offset, sort: 'asc' }, head(1000)), [])
    assert.deepEqual(list.asked, [{ limit: 0, offset: 0, sort: 'asc' }])
  }
  assert.deepEqual(await aList(0).read({ limit: 10, offset: 2 ** 40 }, undefined), [])
})

test('a deep offset of a long list is refused by name, of a short one it is past the end', async () => {
  await assert.rejects(aList(1_000_001).read({ limit: 10, offset: 5_000_000 }, LONG), (error: Error) => {
    assert.equal(error.message, 'offset must be 1000000 or less: cursor=1000000 reads on from offset 1000001')
    return isRefusal(error)
  })
  await assert.rejects(aList(1000, 10).read({ limit: 10, offset: 11 }, LONG), /10 or less: cursor=10 reads on from offset 11/)
  const short = aList(1_000_000)
  assert.deepEqual(await short.read({ limit: 10, offset: 5_000_000, sort: 'desc' }, LONG), [])
  assert.deepEqual(short.asked, [{ limit: 1, offset: 1_000_000, sort: 'desc' }])
})

test('no offset is too deep beside a cursor, or in a list that finds every offset', async () => {
  const query = { limit: 1, offset: 5_000_000, cursor: 5 }
  assert.deepEqual(await aList(9_000_000).read(query, LONG), [5_000_000])
  assert.deepEqual(
    await aList(9_000_000, Number.POSITIVE_INFINITY).read({ limit: 2, offset: 5_000_000 }, LONG),
    [5_000_000, 5_000_001],
  )
})
