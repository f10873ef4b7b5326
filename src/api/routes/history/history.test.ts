import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from '../../../../test/support/database.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'
import { SCHEMA } from '../../../../test/support/templates.ts'
import { openWriterSql } from '../../../../test/support/writer-sql.ts'

/** Sends, delegates, unbonds and votes. */
const BUSY = 'celestia1q0n68tzq49q0zcv0chxvn9uzjx8d488vlxgr64'
/** Pays for blobs. */
const SIGNER = 'celestia1eyxcmwhgqxl2y0h9yj8d6z2y9mm902lu3z00d7'
const UNKNOWN = 'celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg'

type Change = { id: number; height: number; part: string; currency: string; cause: string; amount: string; balance: string }

describe('money through time', () => {
  let api: ServedChain
  let url: string
  /** Withdrew rewards. */
  let rewarded: string
  before(async () => {
    url = await freshDatabase('devnet')
    api = await serveChain(url)
    for (const { hash, name } of await api.list('/address?limit=100'))
      if (name === undefined && (await api.list(`/address/${hash}/history?cause=reward`)).length > 0) rewarded = String(hash)
  })
  after(() => api.close())

  const pages = async (path: string): Promise<Change[]> => {
    const rows: Change[] = []
    for (;;) {
      const cursor = rows.length === 0 ? '' : `&cursor=${rows.at(-1)!.id}`
      const page = (await api.list(`${path}&limit=100${cursor}`)) as unknown as Change[]
      rows.push(...page)
      if (page.length < 100) return rows
    }
  }

  test('the running balance of every part begins with nothing, follows its changes and ends with the present', async () => {
    for (const account of [BUSY, SIGNER]) {
      const rows = await pages(`/address/${account}/history?sort=asc`)
      const running = new Map<string, bigint>()
      for (const { part, currency, amount, balance } of rows) {
        const key = `${part} ${currency}`
        running.set(key, (running.get(key) ?? 0n) + BigInt(amount))
        assert.equal(String(running.get(key)), balance)
      }
      const { body } = await api.get<{ balance: Record<string, string> }>(`/address/${account}`)
      for (const part of ['spendable', 'delegated', 'unbonding'])
        assert.equal(String(running.get(`${part} utia`) ?? 0n), body.balance[part], part)
      assert.deepEqual((await pages(`/address/${account}/history?sort=desc`)).reverse(), rows)
    }
  })

  test('filters by cause, part, denomination and time give the rows that match, page by page', async () => {
    const all = await pages(`/address/${BUSY}/history?sort=asc`)
    const causes = new Set(all.map(({ cause }) => cause))
    for (const cause of ['fee', 'delegation', 'genesis']) assert.ok(causes.has(cause), cause)
    const rows = (query: string) => pages(`/address/${BUSY}/history?sort=asc&${query}`)
    assert.deepEqual(
      await rows('cause=fee,delegation'),
      all.filter(({ cause }) => cause === 'fee' || cause === 'delegation'),
    )
    assert.deepEqual(
      await rows('part=delegated'),
      all.filter(({ part }) => part === 'delegated'),
    )
    assert.deepEqual(await rows('denom=nothing'), [])
    const middle = all[Math.floor(all.length / 2)]! as Change & { time: string }
    const second = Math.ceil(Date.parse(middle.time) / 1000)
    const since = (row: Change) => Date.parse((row as Change & { time: string }).time) >= second * 1000
    assert.deepEqual(await rows(`from=${second}`), all.filter(since))
    assert.deepEqual(
      await rows(`to=${second}`),
      all.filter((row) => !since(row)),
    )
  })

  test('a change names the tx that made it', async () => {
    const [fee] = await api.list(`/address/${SIGNER}/history?cause=fee&limit=1`)
    const { body: tx } = await api.get<{ height: number; fee: string }>(`/tx/${fee!.tx_hash}`)
    assert.equal(tx.height, fee!.height)
    assert.equal(fee!.amount, `-${tx.fee}`)
  })

  test('a statement has the lines of the history with the price of their hour, else of their day, and what they were worth', async () => {
    const history = await pages(`/address/${BUSY}/history?sort=asc`)
    const bare = await pages(`/address/${BUSY}/statement?`)
    assert.deepEqual(bare, history)
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into price (timeframe, time, open, high, low, close)
      values ('1d', '2026-11-15T00:00:00Z', 1, 1, 1, 4), ('1h', '2026-11-15T02:00:00Z', 1, 1, 1, 5.25)`
    await sql.end()
    for (const line of (await pages(`/address/${BUSY}/statement?denom=utia`)) as (Change & {
      time: string
      price: string
      value: string
    })[]) {
      assert.equal(
        line.price,
        line.time.startsWith('2026-11-15T02') ? '5.25' : line.time.startsWith('2026-11-15') ? '4' : undefined,
      )
      if (line.price) assert.ok(Math.abs(Number(line.value) - (Number(line.amount) * Number(line.price)) / 1e6) < 1e-6)
    }
  })

  test('a balance as it was is asked for by height or time', async () => {
    const changes = await pages(`/address/${BUSY}/history?sort=asc&part=spendable&denom=utia`)
    for (const { height, id } of [changes[3]!, changes.at(-2)!]) {
      const last = changes.findLast((change) => change.height <= height)!
      assert.ok(last.id >= id)
      const { body } = await api.get<{ balance: { spendable: string } }>(`/address/${BUSY}?height=${height}`)
      assert.equal(body.balance.spendable, last.balance)
      const { body: block } = await api.get<{ time: string }>(`/block/${height}`)
      const { body: next } = await api.get<{ time: string }>(`/block/${height + 1}`)
      const at = Math.ceil(Date.parse(block.time) / 1000)
      if (at * 1000 < Date.parse(next.time)) {
        assert.deepEqual((await api.get(`/address/${BUSY}?at=${at}`)).body, body)
        const [first] = await api.list(`/address/${BUSY}/balances?at=${at}`)
        assert.deepEqual(first, body.balance)
      }
    }
    const now = await api.get(`/address/${BUSY}`)
    assert.deepEqual((await api.get(`/address/${BUSY}?height=403`)).body, now.body)
    assert.equal((await api.get(`/address/${BUSY}?height=404`)).status, 204)
    assert.equal((await api.get(`/address/${BUSY}?at=1`)).status, 204)
    assert.equal((await api.get(`/address/${UNKNOWN}?height=3`)).status, 204)
    assert.equal((await api.get(`/address/${BUSY}?height=3&at=99`)).status, 400)
    assert.equal((await api.get(`/address/${UNKNOWN}/history`)).status, 400)
  })

  test('series end with the present balance and add up to the changes', async () => {
    const { body } = await api.get<{ balance: Record<'spendable' | 'delegated' | 'unbonding', string> }>(`/address/${BUSY}`)
    const { spendable, delegated, unbonding } = body.balance
    for (const timeframe of ['hour', 'day', 'month']) {
      const [newest] = await api.list(`/address/${BUSY}/stats/balance/${timeframe}`)
      assert.equal(newest!.value, String(BigInt(spendable) + BigInt(delegated) + BigInt(unbonding)))
      for (const [name, cause, sign] of [
        ['fees', 'fee', -1n],
        ['rewards', 'reward', 1n],
      ] as const) {
        const points = await api.list(`/address/${rewarded}/stats/${name}/${timeframe}`)
        const changes = await pages(`/address/${rewarded}/history?part=spendable&denom=utia&cause=${cause}`)
        const sum = (values: unknown[]) => values.reduce<bigint>((total, value) => total + BigInt(String(value)), 0n)
        assert.ok(points.length > 0)
        assert.equal(sum(points.map(({ value }) => value)), sign * sum(changes.map(({ amount }) => amount)), name)
      }
    }
  })

  test('the supply is known at every height, and so is the stake of a validator', async () => {
    const { body: head } = await api.get<{ total_supply: string }>('/head')
    const [present] = (await api.list('/supply?limit=100')).filter(({ currency }) => currency === 'utia')
    assert.equal(present!.amount, head.total_supply)
    const changes = await api.list('/supply/history?denom=utia&limit=100')
    assert.equal(changes[0]!.supply, head.total_supply)
    const { height, supply } = changes.at(-1)!
    const past = await api.list(`/supply?height=${height}&limit=100`)
    assert.equal(past.find(({ currency }) => currency === 'utia')!.amount, supply)
    const [newest] = await api.list('/supply/stats/hour')
    assert.equal(newest!.value, head.total_supply)

    const { body: validator } = await api.get<{ stake: string }>('/validators/1')
    const stakes = await api.list('/validators/1/stake/history?limit=100')
    assert.equal(stakes[0]!.stake, validator.stake)
    assert.equal((await api.list('/validators/1/stake/stats/hour'))[0]!.value, validator.stake)
    assert.deepEqual(await api.list('/validators/999/stake/history'), [])
  })

  test('an index that is older than its history says from which height on it knows', async () => {
    const old = await freshDatabase('devnet')
    const sql = openWriterSql(old, SCHEMA)
    // The changes of the first 300 heights were written by a program that did not keep them.
    await sql`delete from balance_change where id < ${301 * 2 ** 24}`
    await sql`update history_span set first_height = 301`
    await sql.end()
    const older = await serveChain(old)
    try {
      for (const height of [300, 340, 403])
        assert.deepEqual(
          (await older.get(`/address/${BUSY}/balances?height=${height}`)).body,
          (await api.get(`/address/${BUSY}/balances?height=${height}`)).body,
        )
      const { status, body } = await older.get<{ code: string; message: string }>(`/address/${BUSY}?height=299`)
      assert.equal(status, 400)
      assert.equal(body.code, 'history_unknown')
      assert.equal(body.message, 'amounts are known from height 300 on, not at height 299')
    } finally {
      await older.close()
    }
  })
})
