import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench } from '../../../test/state-bench.ts'
import type { Effect, HyperlaneEffect } from '../../types/effects.ts'
import type { HlIgpConfigRow, HlIgpRow, HlMailboxRow, HlTokenRow } from '../state/hyperlane-tables.ts'
import type { StateTable } from '../state/table.ts'
import { createHyperlaneFamily } from './hyperlane.ts'

const id = (n: number): string => n.toString(16).padStart(64, '0')
const OWNER = account(1)

const mailbox: Effect = {
  kind: 'hl-mailbox',
  mailbox: id(1),
  owner: OWNER,
  defaultIsm: id(2),
  defaultHook: null,
  requiredHook: null,
  localDomain: 69420,
  tx: 0,
}
const token = (n: number, type: 'collateral' | 'synthetic'): Effect => ({
  kind: 'hl-token',
  token: id(n),
  type,
  mailbox: id(1),
  denom: 'utia',
  owner: OWNER,
  tx: 1,
})
const transfer = (fields: Partial<Extract<HyperlaneEffect, { kind: 'hl-transfer' }>>): Effect => ({
  kind: 'hl-transfer',
  direction: 'send',
  mailbox: id(1),
  token: id(10),
  domain: 4294967295,
  counterparty: 'd5e85e86fc692cedad6d6992f1f0ccf273e39913',
  address: account(3),
  relayer: null,
  amount: 250777n,
  denom: 'utia',
  version: 3,
  nonce: 4294967295,
  body: new Uint8Array([0, 255]),
  metadata: new Uint8Array(),
  messageId: id(77),
  tx: 0,
  ...fields,
})

function hyperlaneBench() {
  const bench = new StateBench(createHyperlaneFamily)
  const table = <Row extends object>(name: string) =>
    [...bench.state.tables()].find((t) => t.def.name === name) as StateTable<Row>
  return {
    bench,
    mailboxes: table<HlMailboxRow>('hl_mailbox'),
    tokens: table<HlTokenRow>('hl_token'),
    igps: table<HlIgpRow>('hl_igp'),
    configs: table<HlIgpConfigRow>('hl_igp_config'),
  }
}

test('transfers count on their token and mailbox by direction', () => {
  const { bench, mailboxes, tokens } = hyperlaneBench()
  bench.play(5, [mailbox, token(10, 'collateral'), token(11, 'synthetic')])
  const rows = bench.play(6, [
    transfer({}),
    transfer({ amount: 0n }),
    transfer({ direction: 'receive', amount: 100_000n, relayer: account(4), metadata: new Uint8Array([1]) }),
  ]).hl_transfer!

  const box = mailboxes.get(id(1))!
  assert.deepEqual([box.number, box.sent_messages, box.received_messages, box.domain], [1, 2, 1, 69420])
  const collateral = tokens.get(id(10))!
  assert.deepEqual(
    [collateral.sent, collateral.sent_transfers, collateral.received, collateral.received_transfers],
    [250777n, 2, 100_000n, 1],
  )
  const synthetic = tokens.get(id(11))!
  assert.deepEqual(
    [synthetic.number, synthetic.type, synthetic.sent_transfers, synthetic.tx_id],
    [2, 'synthetic', 0, 5 * 2 ** 24 + 1],
  )
  assert.deepEqual(
    rows.map((row) => [row.id, row.direction, row.body, row.metadata, row.relayer_id, row.domain]),
    [
      [String(6 * 2 ** 24), 'send', '\\\\x00ff', '\\\\x', null, '4294967295'],
      [String(6 * 2 ** 24 + 1), 'send', '\\\\x00ff', '\\\\x', null, '4294967295'],
      [String(6 * 2 ** 24 + 2), 'receive', '\\\\x00ff', '\\\\x01', String(bench.accountId(account(4))), '4294967295'],
    ],
  )
})

test('a mailbox changes only in what the event names; a renounced owner is none', () => {
  const { bench, mailboxes, tokens } = hyperlaneBench()
  bench.play(5, [mailbox, token(10, 'collateral')])
  bench.play(6, [{ kind: 'hl-mailbox-set', mailbox: id(1), defaultHook: id(5) }])
  let box = mailboxes.get(id(1))!
  assert.deepEqual([box.owner_id, box.default_ism, box.default_hook], [bench.accountId(OWNER), id(2), id(5)])
  bench.play(7, [
    { kind: 'hl-mailbox-set', mailbox: id(1), owner: null },
    { kind: 'hl-token-set', token: id(10) },
  ])
  box = mailboxes.get(id(1))!
  assert.equal(box.owner_id, null)
  assert.equal(tokens.get(id(10))!.owner_id, bench.accountId(OWNER))
  bench.play(8, [{ kind: 'hl-token-set', token: id(10), owner: account(9) }])
  assert.equal(tokens.get(id(10))!.owner_id, bench.accountId(account(9)))
})

test('a gas paymaster keeps one configuration per domain, and payments are rows of their own', () => {
  const { bench, igps, configs } = hyperlaneBench()
  const config = (gasPrice: bigint): Effect => ({
    kind: 'hl-igp-config',
    igp: id(20),
    remoteDomain: 1,
    gasOverhead: 100n,
    gasPrice,
    tokenExchangeRate: '10000000000',
  })
  bench.play(5, [{ kind: 'hl-igp', igp: id(20), owner: OWNER, denom: 'utia' }, config(1n)])
  bench.play(6, [config(2n), { kind: 'hl-igp-set', igp: id(20), owner: null }])
  assert.deepEqual(
    [...configs.all()].map((row) => row.gas_price),
    [2n],
  )
  assert.deepEqual([igps.get(id(20))!.number, igps.get(id(20))!.owner_id], [1, null])
  const rows = bench.play(7, [
    {
      kind: 'hl-gas-payment',
      igp: id(20),
      messageId: id(77),
      destination: 1,
      gasAmount: 50_000n,
      amount: 300n,
      denom: 'utia',
      tx: 3,
    },
  ]).hl_gas_payment!
  assert.deepEqual([rows[0]!.tx_id, rows[0]!.gas_amount, rows[0]!.amount], [String(7 * 2 ** 24 + 3), '50000', '300'])
})

test('a transfer of a token nobody created is still kept', () => {
  const { bench } = hyperlaneBench()
  assert.equal(bench.play(6, [transfer({})]).hl_transfer!.length, 1)
})
