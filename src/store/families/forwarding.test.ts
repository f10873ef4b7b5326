import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench } from '../../../test/state-bench.ts'
import { createForwardingFamily } from './forwarding.ts'

test('a forwarding is a row, and its account is marked once', () => {
  const bench = new StateBench(createForwardingFamily)
  const rows = bench.play(5, [
    {
      kind: 'forwarding',
      address: account(1),
      destDomain: 2340,
      destRecipient: 'ab'.repeat(32),
      token: 'cd'.repeat(32),
      amount: 12n,
      denom: 'utia',
      messageId: 'ef'.repeat(32),
      tx: 1,
    },
  ]).forwarding!
  assert.deepEqual([rows[0]!.address_id, rows[0]!.amount, rows[0]!.tx_id], ['1', '12', String(5 * 2 ** 24 + 1)])
  assert.equal(bench.state.address.get(account(1))!.is_forwarding, true)
})

test('an account known to forward is marked without a row', () => {
  const bench = new StateBench(createForwardingFamily)
  assert.deepEqual(bench.play(5, [{ kind: 'forwarding-address', address: account(1) }]), {})
  assert.equal(bench.state.address.get(account(1))!.is_forwarding, true)
})
