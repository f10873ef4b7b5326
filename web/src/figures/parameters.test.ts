import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readParameter } from './parameters.ts'

test('parameters are read in days, MiB, TIA and percent', () => {
  for (const [name, value, expected] of [
    ['unbonding_time', '1814400000000000', '21 d'],
    ['unbonding_time', '1209600s', '14 d'],
    ['evidence_max_age_duration', '172800000000000', '2 d'],
    ['downtime_jail_duration', '60000000000', '1 min'],
    ['block_max_bytes', '33554432', '32.0 MiB'],
    ['evidence_max_bytes', '1048576', '1.00 MiB'],
    ['gov_max_square_size', '128', '128 × 128 shares, 8.00 MiB'],
    ['min_deposit', '1000000000utia', '1,000 TIA'],
    ['quorum', '0.334', '33.4%'],
    ['min_commission_rate', '0.05', '5%'],
    ['slash_fraction_double_sign', '0.02', '2%'],
    ['block_max_gas', '-1', 'no limit'],
  ] as const)
    assert.equal(readParameter(name, value), expected, name)
})

test('what is a number or a word stays what it is', () => {
  for (const [name, value] of [
    ['max_validators', '100'],
    ['tx_size_cost_per_byte', '10'],
    ['signed_blocks_window', '5000'],
    ['bond_denom', 'utia'],
    ['withdraw_addr_enabled', 'true'],
    ['constant_fee', ''],
    ['unbonding_time', 'soon'],
    ['block_max_gas', '1000'],
  ] as const)
    assert.equal(readParameter(name, value), undefined, name)
})
