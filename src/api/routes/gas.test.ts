import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing.ts'
import { estimatePfbGas } from './gas.ts'

const COSTS = { txByteCost: 10, blobByteGas: 8 }

test('a share more costs its bytes, and a signer takes room from the first one', () => {
  const gas = (size: number, shareVersion: 0 | 1 = 0) => estimatePfbGas([{ size, shareVersion }], COSTS)
  assert.equal(gas(478), gas(1))
  assert.equal(gas(479) - gas(478), 512 * 8)
  assert.equal(gas(478 + 482), gas(479))
  assert.equal(gas(458, 1), gas(478))
  assert.equal(gas(459, 1), gas(479))
  assert.equal(gas(1) - gas(0), 512 * 8)
})

describe('gas over the recorded chain', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi()
  })
  after(() => api.close())

  test('the estimate follows the contract', async () => {
    assert.equal((await api.get('/v1/gas/estimate_for_pfb?sizes=12,34')).text, '84592\n')
    assert.equal((await api.get('/v1/gas/estimate_for_pfb?sizes=0')).text, '75700\n')
    assert.equal(
      (await api.get('/v1/gas/estimate_for_pfb?sizes=459,1&versions=1,0')).text,
      String(75000 + 1400 + 3 * 4096).concat('\n'),
    )
    const many = Array(200).fill('1').join(',')
    assert.equal(
      (await api.get(`/v1/gas/estimate_for_pfb?sizes=${many}&versions=${many}`)).text,
      String(75000 + 200 * (700 + 4096)).concat('\n'),
    )
  })

  test('sizes and versions are checked', async () => {
    const bad = [
      '',
      '?sizes=',
      '?sizes=1,',
      '?sizes=-1',
      '?sizes=4294967296',
      '?sizes=1.5',
      '?sizes=1&versions=2',
      '?sizes=1,2&versions=1',
      '?sizes=1&versions=',
    ]
    for (const query of bad) {
      const answer = await api.get(`/v1/gas/estimate_for_pfb${query}`)
      assert.equal(answer.status, 400, query)
      assert.match((answer.json() as { param: string }).param, /^(sizes|versions)$/)
    }
  })

  test('prices have six digits and never fall below the floor', async () => {
    const prices = (await api.get('/v1/gas/price')).json() as Record<string, string>
    for (const [priority, price] of Object.entries(prices)) {
      assert.match(price, /^\d+\.\d{6}$/)
      assert.ok(Number(price) >= 0.004)
      assert.equal((await api.get(`/v1/gas/price/${priority}`)).text, `"${price}"\n`)
    }
    assert.equal((await api.get('/v1/gas/price/turbo')).status, 400)
  })

  test('the history tells between which prices most transactions were paid', async () => {
    type Point = { height: number; time: string; low: string; median: string; high: string; txs: number }
    const history = async (blocks: number) => (await api.get(`/v1/gas/history?blocks=${blocks}`)).json() as Point[]
    const points = await history(250)
    assert.ok(points.length > 50 && points.length <= 100)
    for (const [i, { height, low, median, high, txs }] of points.entries()) {
      assert.ok(i === 0 || height > points[i - 1]!.height)
      assert.ok(0 < Number(low) && Number(low) <= Number(median) && Number(median) <= Number(high) && txs > 0)
    }
    const [last] = (await history(100)).slice(-1)
    const txs = (await api.get(`/v1/tx?height=${last!.height}&limit=100`)).json() as { fee: string; gas_wanted: number }[]
    const prices = txs.filter(({ fee }) => Number(fee) > 0).map(({ fee, gas_wanted }) => Number(fee) / gas_wanted)
    assert.equal(last!.txs, prices.length)
    assert.ok(Math.min(...prices) <= Number(last!.low) + 1e-6 && Math.max(...prices) >= Number(last!.high) - 1e-6)
    for (const blocks of ['-1', '1001', 'many']) assert.equal((await api.get(`/v1/gas/history?blocks=${blocks}`)).status, 400)
  })
})
