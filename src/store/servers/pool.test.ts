import assert from 'node:assert/strict'
import { test } from 'node:test'
import { devnetUrl } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { type Db, openPool, openReader, type Reader, readInPieces, snapshot } from '../db.ts'

const LOST = { code: 'connection_lost' }

async function withReader(work: (db: Db, cut: (pid: number) => Promise<unknown>) => Promise<void>): Promise<void> {
  const [db, admin] = [1, 1].map((max) => openReader({ url: devnetUrl, schema: SCHEMA, max })) as [Db, Db]
  try {
    await work(db, (pid) => admin`select pg_terminate_backend(${pid}, 5000)`)
    const [row] = await snapshot(db, (sql) => sql<{ n: number }[]>`select 1 as n`)
    assert.equal(row?.n, 1, 'the pool reconnects')
  } finally {
    await Promise.all([db, admin].map((pool) => pool.end({ timeout: 1 })))
  }
}

const pidOf = async (sql: Reader) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
const nextTurns = () => new Promise((resolve) => setTimeout(resolve, 50))

test('a connection that breaks under a statement of a transaction fails the transaction, not the process', () =>
  withReader(async (db, cut) => {
    const broken = snapshot(db, async (sql) => {
      const pid = await pidOf(sql)
      await Promise.all([sql`select pg_sleep(5)`, cut(pid)])
    })
    await assert.rejects(broken, { code: '57P01' })
    await nextTurns()
  }))

test('so does one that breaks between two statements', () =>
  withReader(async (db, cut) => {
    let later: Promise<unknown> | undefined
    const broken = snapshot(db, async (sql) => {
      const pid = await pidOf(sql)
      later = (async () => {
        await cut(pid)
        await nextTurns()
        await sql`select 1`
      })()
      await later
    })
    await assert.rejects(broken, LOST)
    await assert.rejects(later!, LOST)
    await nextTurns()
  }))

test('work that throws after its connection broke tells its own error', () =>
  withReader(async (db, cut) => {
    const broken = snapshot(db, async (sql) => {
      const pid = await pidOf(sql)
      await Promise.allSettled([sql`select pg_sleep(5)`, cut(pid)])
      throw new Error('what the work says')
    })
    await assert.rejects(broken, /what the work says/)
    await nextTurns()
  }))

test('work that fails on a sound connection is rolled back, and its own error is told', () =>
  withReader(async (db) => {
    await assert.rejects(
      snapshot(db, async (sql) => {
        await sql`select 1`
        throw new Error('what the work says')
      }),
      /what the work says/,
    )
  }))

test('statements of a transaction may be sent at once', () =>
  withReader(async (db) => {
    const results = await db.begin((sql) => Promise.all([1, 2].map((n) => sql<{ n: number }[]>`select ${n}::integer as n`)))
    assert.deepEqual(
      results.map(([row]) => row?.n),
      [1, 2],
    )
  }))

test('a channel is heard again after its connection was lost', async () => {
  const db = openReader({ url: devnetUrl, schema: SCHEMA, max: 1 })
  const admin = openPool('offchain', { url: devnetUrl, schema: SCHEMA, max: 1 })
  const channel = 'heard_again'
  const listening = () => admin<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and query = ${`listen "${channel}"`} and state = 'idle'`
  try {
    const heard: string[] = []
    const stop = await db.listen(channel, (payload) => heard.push(payload))
    await admin`select pg_notify(${channel}, 'first')`
    const [first] = await listening()
    await admin`select pg_terminate_backend(${first!.pid}, 5000)`
    while ((await listening()).length === 0) await nextTurns()
    await admin`select pg_notify(${channel}, 'second')`
    while (heard.length < 2) await nextTurns()
    assert.deepEqual(heard, ['first', 'second'])
    await stop()
    while ((await listening()).length > 0) await nextTurns()
  } finally {
    await Promise.all([db, admin].map((pool) => pool.end({ timeout: 1 })))
  }
})

test('a statement whose table was changed since it was prepared is prepared again', async () => {
  const sql = openPool('offchain', { url: devnetUrl, schema: SCHEMA, max: 1 })
  try {
    await sql`create temporary table changing (a integer)`
    await sql`insert into changing values (1)`
    const read = () => sql`select * from changing where a = ${1}`
    assert.deepEqual(await read(), [{ a: 1 }])
    await sql`alter table changing add b text`
    assert.deepEqual(await read(), [{ a: 1, b: null }])
  } finally {
    await sql.end()
  }
})

test('statements that are sent at once get their own rows, prepared already or not, also behind one that fails', async () => {
  const db = openReader({ url: devnetUrl, schema: SCHEMA, max: 1 })
  const divide = (n: number) =>
    db<{ n: number; rest: string[] }[]>`select 12 / ${n}::integer as n, array[${String(n)}::text] as rest`
  try {
    for (let round = 0; round < 2; round++) {
      const results = await Promise.allSettled([1, 0, 3, 4].map((n) => divide(n)))
      assert.deepEqual(
        results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
        [[{ n: 12, rest: ['1'] }], '22012', [{ n: 4, rest: ['3'] }], [{ n: 3, rest: ['4'] }]],
      )
    }
  } finally {
    await db.end()
  }
})

test('rows come in pieces, and a reader that stops early gives its connection back', async () => {
  const db = openReader({ url: devnetUrl, schema: SCHEMA, max: 1 })
  try {
    const sizes: number[] = []
    for await (const rows of readInPieces(db, db`select n from generate_series(1, ${25}::integer) n`, 10)) sizes.push(rows.length)
    assert.deepEqual(sizes, [10, 10, 5])
    for await (const rows of readInPieces(db, db`select generate_series(1, 25)`, 10)) {
      assert.equal(rows.length, 10)
      break
    }
    assert.equal((await db`select 1`).length, 1)
  } finally {
    await db.end()
  }
})
