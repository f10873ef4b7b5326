import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { aBlock, aGenesis, anAccount } from '../../../test/builders.ts'
import { indexBlocks } from '../../../test/support/built-chain.ts'
import { type ServedChain, serveChain } from '../../../test/support/served-chain.ts'

const seconds = (time: string) => String(Date.parse(time) / 1000)
const NAMES = ['ended', 'running', 'periodic', 'permanent']
const account = (name: string) => anAccount(name).text

/** The chain starts at 2026-01-01T00:00:00Z and a block takes 6 s. */
const vesting = (name: string, type: string, end: string, fields: Record<string, unknown> = {}) => ({
  '@type': `/cosmos.vesting.v1beta1.${type}`,
  base_vesting_account: {
    base_account: { address: account(name) },
    original_vesting: [{ denom: 'utia', amount: '90' }],
    end_time: end,
  },
  ...fields,
})

describe('vesting', () => {
  let api: ServedChain
  before(async () => {
    const balances = Object.fromEntries(NAMES.map((name) => [account(name), 100n]))
    const coins = (amount: string) => [{ denom: 'utia', amount }]
    const accounts = [
      vesting('ended', 'DelayedVestingAccount', seconds('2026-01-01T00:00:10Z')),
      vesting('running', 'ContinuousVestingAccount', seconds('2027-01-01T00:00:00Z'), {
        start_time: seconds('2026-01-01T00:00:00Z'),
      }),
      vesting('periodic', 'PeriodicVestingAccount', seconds('2026-03-02T00:00:00Z'), {
        start_time: seconds('2026-01-01T00:00:00Z'),
        vesting_periods: [
          { length: String(30 * 86_400), amount: coins('40') },
          { length: String(30 * 86_400), amount: coins('50') },
        ],
      }),
      vesting('permanent', 'PermanentLockedAccount', '0'),
    ]
    const genesis = aGenesis({ balances, appState: { auth: { accounts } } })
    const { url, close } = await indexBlocks(genesis, [aBlock(1), aBlock(2)])
    await close()
    api = await serveChain(url)
  })
  after(() => api.close())

  const vestings = (name: string, query = '') => api.list(`/address/${account(name)}/vestings${query}`)

  test('what has ended by the last block is shown on demand, and so is what never ends', async () => {
    assert.deepEqual(await vestings('ended'), [])
    assert.deepEqual(
      (await vestings('ended', '?show_ended=true')).map((row) => [row.type, row.end_time, 'start_time' in row, 'hash' in row]),
      [['delayed', '2026-01-01T00:00:10Z', false, false]],
    )
    assert.deepEqual(await vestings('permanent'), [])
    assert.deepEqual(
      (await vestings('permanent', '?show_ended=true')).map((row) => [row.type, 'end_time' in row, 'start_time' in row]),
      [['permanent', false, false]],
    )
    assert.deepEqual(
      (await vestings('running')).map((row) => [row.type, row.start_time, row.end_time, row.amount]),
      [['continuous', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', '90']],
    )
  })

  test('only a periodic vesting has periods, the last one first', async () => {
    const [periodic] = await vestings('periodic')
    assert.deepEqual(await api.list(`/vesting/${periodic!.id}/periods`), [
      { time: '2026-03-02T00:00:00Z', amount: '50' },
      { time: '2026-01-31T00:00:00Z', amount: '40' },
    ])
    const [running] = await vestings('running')
    assert.deepEqual(await api.list(`/vesting/${running!.id}/periods`), [])
    assert.deepEqual(await api.list('/vesting/999/periods'), [])
  })
})
