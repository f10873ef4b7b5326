import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase } from '../../../../test/support/database.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'
import { SCHEMA } from '../../../../test/support/templates.ts'
import { openWriterSql } from '../../../../test/support/writer-sql.ts'

const OPERATOR = 'celestiavaloper1w4dvevy0zm70yss42h4k597at605fn38z8ezgp'
const ACCOUNT = 'celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'
const NAMED = 'celestia1qea78qpjs8u9l3y6ahanmwv4jzpu9lhzyjx8k9'
const UNKNOWN = 'celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg'

describe('accounts', () => {
  let api: ServedChain
  before(async () => {
    const url = await freshDatabase('devnet')
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into celestial (id, address, image_url, change_id, status)
      select name, (select address from address where id = 4), image, change, status
      from (values ('alice', 'https://img.example/a.png', 5, 'PRIMARY'), ('alice-old', '', 9, 'VERIFIED')) as v (name, image, change, status)`
    await sql.end()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('an operator address answers as its account', async () => {
    for (const path of ['', '/txs', '/votes', '/balances', '/delegations', '/messages']) {
      const account = await api.get(`/address/${ACCOUNT}${path}`)
      assert.equal(account.status, 200)
      assert.deepEqual((await api.get(`/address/${OPERATOR}${path}`)).body, account.body, path)
    }
  })

  test('an unknown account is 204 where the contract says so and 400 elsewhere', async () => {
    for (const path of ['', '/txs', '/votes', '/balances'])
      assert.equal((await api.get(`/address/${UNKNOWN}${path}`)).status, 204, path)
    for (const name of 'messages blobs delegations undelegations redelegations vestings grants granters celestials'.split(' ')) {
      const { status, body } = await api.get<{ message: string }>(`/address/${UNKNOWN}/${name}`)
      assert.equal(status, 400, name)
      assert.equal(body.message, `${UNKNOWN}: unknown address`)
    }
  })

  test('every order of the list gives each account once, by offset as by cursor', async () => {
    for (const sort_by of ['id', 'spendable', 'delegated', 'unbonding', 'first_height', 'last_height'])
      for (const sort of ['asc', 'desc']) {
        const query = `/address?sort_by=${sort_by}&sort=${sort}`
        const all = await api.list(`${query}&limit=100`)
        const ids = all.map((row) => row.id)
        assert.equal(new Set(ids).size, ids.length)
        const byOffset = (await Promise.all([0, 10, 20, 30, 40].map((offset) => api.list(`${query}&offset=${offset}`)))).flat()
        assert.deepEqual(byOffset, all, query)
        const behind = await api.list(`${query}&limit=100&cursor=${ids[14]}`)
        assert.deepEqual(behind, all.slice(15), query)
      }
  })

  test('accounts without utia are only listed by height', async () => {
    const { body: total } = await api.get<number>('/address/count')
    const byHeight = await api.list('/address?sort_by=last_height&limit=100')
    const byId = await api.list('/address?limit=100')
    assert.equal(byHeight.length, total)
    assert.ok(byId.length < byHeight.length)
    const zero = { currency: 'utia', spendable: '0', delegated: '0', unbonding: '0' }
    const left = byHeight.filter((row) => !byId.some(({ id }) => id === row.id))
    for (const row of left) assert.deepEqual(row.balance, zero)
  })

  test('balances come in the order of their denominations', async () => {
    const rows = await api.list('/address/celestia1nhn4cttdsle0kw765kxt652vcu8e7sdszj0m55/balances')
    assert.deepEqual(
      rows.map((row) => row.currency),
      ['ibc/F1183DB3D428313A6FD329DF18219F9D6B83257D07D292EA9EC1D877E89EC2B0', 'utia'],
    )
    assert.deepEqual(await api.list('/address/celestia1nhn4cttdsle0kw765kxt652vcu8e7sdszj0m55/balances?offset=1'), rows.slice(1))
  })

  test('an account shows its primary name, the list of names all of them', async () => {
    const { body } = await api.get<{ celestials: unknown }>(`/address/${NAMED}`)
    assert.deepEqual(body.celestials, { name: 'alice', image_url: 'https://img.example/a.png' })
    assert.deepEqual(await api.list(`/address/${NAMED}/celestials`), [
      { name: 'alice-old', image_url: '', status: 'VERIFIED' },
      { name: 'alice', image_url: 'https://img.example/a.png', status: 'PRIMARY', primary: true },
    ])
    const [grant] = await api.list('/address/celestia1a6fwjhcwarrwrqvuv0xf6rygncca4e5ttktzqc/granters')
    assert.deepEqual(grant!.granter, { hash: NAMED, celestials: { name: 'alice', image_url: 'https://img.example/a.png' } })
  })
})
