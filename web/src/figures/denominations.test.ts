import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameVouchers } from './denominations.ts'

test('a voucher is named by what came over which channel', async () => {
  const names = await nameVouchers([
    { port: 'transfer', channel_id: 'channel-0', denom: 'uatom' },
    { port: 'transfer', channel_id: 'channel-1', denom: 'utia' },
  ])
  // The first is the well-known voucher of ATOM over channel-0.
  assert.equal(names.get('ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'), 'uatom via channel-0')
  assert.equal(names.get('ibc/F1183DB3D428313A6FD329DF18219F9D6B83257D07D292EA9EC1D877E89EC2B0'), 'utia via channel-1')
  assert.equal(names.size, 2)
})
