import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNamePage } from './names.ts'

const ADDRESS = 'celestia1eyxcmwhgqxl2y0h9yj8d6z2y9mm902lu3z00d7'
const change = (id: number, more: Record<string, unknown> = {}) => ({
  celestial_id: `name-${id}`,
  address: ADDRESS,
  image_url: 'https://images.example/x.png',
  change_id: id,
  status: 'VERIFIED',
  ...more,
})

test('changes that are known are passed over, those that make no sense left out', () => {
  const page = parseNamePage(
    {
      head: 9,
      changes: [
        change(2),
        change(3),
        change(6, { status: 'KING' }),
        change(5, { address: 'cosmos1xyz' }),
        change(4, { image_url: 'javascript:alert(1)' }),
        change(7, { celestial_id: '' }),
      ],
    },
    2,
  )
  assert.deepEqual(
    page.changes.map(({ changeId, imageUrl }) => [changeId, imageUrl]),
    [
      [3, 'https://images.example/x.png'],
      [4, ''],
    ],
  )
  assert.deepEqual([page.head, page.last, page.skipped], [9, 7, 3])
})

test('a page without head, without ids or beyond its own head is refused', () => {
  for (const document of [null, [], { changes: [] }, { head: 1, changes: {} }, { head: 1, changes: [change(1), {}] }])
    assert.throws(() => parseNamePage(document, 0), /source of names/)
  assert.throws(() => parseNamePage({ head: 1, changes: [change(2)] }, 0), /newer than the newest/)
})
