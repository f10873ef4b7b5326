import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { type Db, openReader } from '../db.ts'
import { lightenSql } from './light-sql.ts'

describe('light statements', () => {
  let driver: Db
  let sql: Db
  before(() => {
    driver = openReader({ url: devnetUrl, schema: SCHEMA, max: 2 })
    sql = lightenSql(driver)
  })
  after(() => driver.end())

  test('pieces keep their parameters in order', async () => {
    const inner = sql`select ${2}::int as b`
    const [row] = await sql<{ a: number; b: number; c: string }[]>`
      select ${1}::int as a, i.b, ${'x'}::text as c from (${inner}) i ${sql``} where ${sql`i.b = ${2}`}`
    assert.deepEqual({ ...row }, { a: 1, b: 2, c: 'x' })
  })

  test('values never become text of the statement', async () => {
    const text = `'; drop table block; --`
    const [row] = await sql<{ text: string }[]>`select ${text}::text as text`
    assert.equal(row!.text, text)
    assert.equal((await sql`select 1 from ${sql('block')} where height = ${1}`).length, 1)
    await assert.rejects(async () => await sql`select 1 from ${sql('block" b; --')}`, /does not exist/)
  })

  test('types come out as the driver parses them', async () => {
    const query = (run: Db) => run`select height, time, fee, hash, message_types from block where height = ${20}`
    assert.deepEqual([...(await query(sql))], [...(await query(driver))])
  })

  test('a statement runs once however often it is awaited, and fails like any promise', async () => {
    const statement = sql<{ at: string }[]>`select clock_timestamp()::text as at`
    const [first, second] = await Promise.all([statement, statement])
    assert.equal(first[0]!.at, second[0]!.at)
    await assert.rejects(async () => await sql`select 1 / ${0}::int`, { code: '22012' })
    await assert.rejects(async () => await sql`select ${undefined as never}::int`, /undefined/)
  })
})
