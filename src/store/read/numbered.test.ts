import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { type Db, openReader } from '../db.ts'
import { isOutOfReach, meantId } from './numbered.ts'

describe('running numbers of rows', () => {
  let db: Db
  before(() => {
    db = openReader({ url: devnetUrl, schema: SCHEMA, max: 1 })
  })
  after(() => db.end())

  const idOf = async (number: number) => (await db<{ id: number | null }[]>`select ${meantId(db, 'blob', number)} as id`)[0]!.id

  test('count from the first row; a number beyond the last one means no row', async () => {
    const rows = await db<{ id: number }[]>`select id from blob order by height, id limit 3`
    assert.deepEqual(
      await Promise.all([1, 2, 3].map(idOf)),
      rows.map(({ id }) => id),
    )
    assert.equal(await idOf(999_999), null)
    assert.equal(await idOf(rows[0]!.id), rows[0]!.id)
  })

  test('no statement walks further than an offset may', async () => {
    for (const number of [1_000_001, 2 ** 24 - 1]) {
      const [row] = await db<{ 'QUERY PLAN': object[] }[]>`explain (format json) select ${meantId(db, 'blob', number)} as id`
      assert.doesNotMatch(JSON.stringify(row), /Scan|Limit/, String(number))
    }
  })

  test('are out of reach only where the table continues that far', async () => {
    const [row] = await db<{ rows: number }[]>`select count(*) as rows from blob`
    const reach = Number(row!.rows) - 1
    assert.equal(await isOutOfReach(db, 'blob', reach, reach), false)
    assert.equal(await isOutOfReach(db, 'blob', reach + 5, reach), true)
    assert.equal(await isOutOfReach(db, 'blob', reach + 5, reach + 1), false)
    assert.equal(await isOutOfReach(db, 'blob', 2 ** 24, reach), false, 'an id')
  })
})
