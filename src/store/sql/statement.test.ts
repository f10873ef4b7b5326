import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { type Db, openReader } from '../db.ts'

describe('statements', () => {
  let sql: Db
  before(() => {
    sql = openReader({ url: devnetUrl, schema: SCHEMA, max: 2 })
  })
  after(() => sql.end())

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

  test('values come out exactly, and lists are read whatever they hold', async () => {
    const [row] = await sql`
      select ${2 ** 52}::bigint as int8, 1.10::numeric as numeric, true as bool, ${Buffer.from('00ff', 'hex')}::bytea as bytes,
             '2026-01-02T03:04:05.123456Z'::timestamptz as time, '2026-01-02'::date as day, '{"a": [1]}'::jsonb as json, null as nothing`
    assert.deepEqual(row, {
      int8: 2 ** 52,
      numeric: '1.10',
      bool: true,
      bytes: Buffer.from('00ff', 'hex'),
      time: '2026-01-02T03:04:05.123456Z',
      day: '2026-01-02',
      json: { a: [1] },
      nothing: null,
    })
    const words = ['', 'a', 'NULL', 'b,c', '"', '\\', '{}', 'ü\n', ' ', null]
    const bytes = [Buffer.from('00ff', 'hex'), Buffer.alloc(0)]
    const numbers = [1, null, -(2 ** 52)]
    const [lists] =
      await sql`select ${words}::text[] as words, ${bytes}::bytea[] as bytes, ${numbers}::bigint[] as numbers, '{}'::int[] as none`
    assert.deepEqual(lists, { words, bytes, numbers, none: [] })
  })

  test('a statement that fails to be prepared fails alike for all who send it at once, and works once it can', async () => {
    const missing = () => sql`select ${1}::int from no_such_table`.catch((error) => error.code)
    assert.deepEqual(await Promise.all(Array.from({ length: 8 }, missing)), Array(8).fill('42P01'))
  })

  test('a statement runs once however often it is awaited, and fails like any promise', async () => {
    const statement = sql<{ at: string }[]>`select clock_timestamp()::text as at`
    const [first, second] = await Promise.all([statement, statement])
    assert.equal(first[0]!.at, second[0]!.at)
    await assert.rejects(async () => await sql`select 1 / ${0}::int`, { code: '22012' })
    await assert.rejects(async () => await sql`select ${undefined as never}::int`, /undefined/)
  })
})
