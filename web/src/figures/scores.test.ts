import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metrics } from '../../../src/client/gen/operations.ts'
import { highestTps, ownPart } from './scores.ts'

test('the present hour belongs to the week', () => {
  assert.equal(highestTps({ high: 0.07694, low: 0, current: 0.2381, change_last_hour_pct: 1 }), 0.2381)
  assert.equal(highestTps({ high: 0.5, low: 0, current: 0.2381, change_last_hour_pct: 1 }), 0.5)
})

test('self delegation is the part of the stake that is the validator’s own', () => {
  const metrics = (own: string, stake: string, metric: string) =>
    ({ self_delegation_amount: own, stake, self_delegation_metric: metric }) as Metrics
  assert.equal(ownPart(metrics('92000000000000', '92200000000000', '0.002')).toFixed(4), '0.9978')
  assert.equal(ownPart(metrics('0', '1000000', '0')), 0)
  assert.equal(ownPart(metrics('0', '0', '0')), 0)
})
