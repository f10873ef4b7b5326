import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Proposal } from '../../../src/client/gen/operations.ts'
import { turnoutOf } from './tally.ts'

const proposal = (fields: Partial<Proposal>) => fields as Proposal

test('turnout is counted in one unit', () => {
  const ended = proposal({ voting_power: '18100001000000', total_voting_power: '18100001', bonded_stake: '18100001000000' })
  assert.equal(turnoutOf(ended), 1)
  assert.equal(turnoutOf({ ...ended, voting_power: '18100002170000' }), 1, 'parts of a TIA are not power')
})

test('turnout of a vote that continues is of the stake of now, and of none that never began unknown', () => {
  const active = proposal({ voting_power: '4500000', total_voting_power: '0', bonded_stake: '18000000' })
  assert.equal(turnoutOf(active), 0.25)
  assert.equal(turnoutOf(proposal({ voting_power: '0', total_voting_power: '0' })), undefined)
})
