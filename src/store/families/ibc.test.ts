import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench, timeOf } from '../../../test/state-bench.ts'
import type { Effect, IbcEffect } from '../../types/effects.ts'
import type { IbcChannelRow, IbcClientRow, IbcConnectionRow } from '../state/ibc-tables.ts'
import type { StateTable } from '../state/table.ts'
import { createIbcFamily } from './ibc.ts'

const RELAYER = account(0x11)

const client: Effect = {
  kind: 'ibc-client',
  clientId: '07-tendermint-12',
  type: '07-tendermint',
  chainId: 'osmosis-1',
  creator: RELAYER,
  latestRevisionNumber: 1n,
  latestRevisionHeight: 100n,
  frozenRevisionNumber: 0n,
  frozenRevisionHeight: 0n,
  trustingPeriodNs: 10n,
  unbondingPeriodNs: 20n,
  maxClockDriftNs: 5n,
  trustLevelNumerator: 1n,
  trustLevelDenominator: 3n,
  tx: 0,
  message: 0,
}
const connection: Effect = {
  kind: 'ibc-connection',
  connectionId: 'connection-3',
  clientId: '07-tendermint-12',
  counterpartyClientId: '07-tendermint-9',
  counterpartyConnectionId: '',
  tx: 1,
}
const channel: Effect = {
  kind: 'ibc-channel',
  channelId: 'channel-7',
  portId: 'transfer',
  connectionId: 'connection-3',
  counterpartyPortId: 'transfer',
  counterpartyChannelId: '',
  version: 'ics20-1',
  ordered: false,
  creator: RELAYER,
  tx: 0,
}
const transfer = (fields: Partial<Extract<IbcEffect, { kind: 'ibc-transfer' }>> = {}): Effect => ({
  kind: 'ibc-transfer',
  direction: 'in',
  channelId: 'channel-7',
  portId: 'transfer',
  connectionId: 'connection-3',
  amount: 31337n,
  denom: 'utia',
  memo: 'ibc\tmemo',
  sender: null,
  senderText: 'osmo1xyz',
  receiver: account(5),
  receiverText: 'celestia1abc',
  timeout: timeOf(50),
  timeoutHeight: 0n,
  sequence: 1n,
  tx: 0,
  ...fields,
})

function ibcBench() {
  const bench = new StateBench(createIbcFamily)
  const table = <Row extends object>(name: string) =>
    [...bench.state.tables()].find((t) => t.def.name === name) as StateTable<Row>
  return {
    bench,
    clients: table<IbcClientRow>('ibc_client'),
    connections: table<IbcConnectionRow>('ibc_connection'),
    channels: table<IbcChannelRow>('ibc_channel'),
  }
}

test('a client, a connection and a channel are opened and count one another', () => {
  const { bench, clients, connections, channels } = ibcBench()
  bench.play(5, [client])
  bench.play(6, [connection])
  bench.play(7, [{ kind: 'ibc-connection-open', connectionId: 'connection-3', counterpartyConnectionId: 'connection-99', tx: 4 }])
  bench.play(8, [channel])
  bench.play(9, [
    { kind: 'ibc-channel-open', channelId: 'channel-7', portId: 'transfer', counterpartyChannelId: 'channel-1', tx: 2 },
  ])

  assert.equal(bench.state.head.get('true')!.total_ibc_clients, 1)
  const known = clients.get('07-tendermint-12')!
  assert.deepEqual([known.number, known.connection_count, known.creator_id, known.tx_id], [12, 1, 1, 5 * 2 ** 24])
  const open = connections.get('connection-3')!
  assert.deepEqual([open.number, open.channels_count, open.counterparty_connection_id], [3, 1, 'connection-99'])
  assert.deepEqual([open.created_tx_id, open.connected_tx_id, open.connected_height], [6 * 2 ** 24 + 1, 7 * 2 ** 24 + 4, 7])
  const row = channels.get('transfer', 'channel-7')!
  assert.deepEqual(
    [row.number, row.client_id, row.status, row.counterparty_channel_id],
    [7, '07-tendermint-12', 'opened', 'channel-1'],
  )
  assert.deepEqual([row.confirmation_height, row.confirmed_at], [9, timeOf(9)])

  bench.play(10, [{ kind: 'ibc-channel-close', channelId: 'channel-7', portId: 'transfer' }])
  assert.equal(channels.get('transfer', 'channel-7')!.status, 'closed')
})

test('a channel keeps the version it was asked for until the other side answers with another', () => {
  const { bench, channels } = ibcBench()
  const open: Effect = {
    kind: 'ibc-channel-open',
    channelId: 'channel-7',
    portId: 'transfer',
    counterpartyChannelId: 'channel-1',
  }
  const termsOf = () => {
    const { version, ordered, status } = channels.get('transfer', 'channel-7')!
    return [version, ordered, status]
  }
  bench.play(5, [{ ...channel, version: 'ics29-1', ordered: true } as Effect])
  bench.play(6, [open])
  assert.deepEqual(termsOf(), ['ics29-1', true, 'opened'])
  bench.play(7, [{ ...open, version: 'ics20-1' }])
  assert.deepEqual(termsOf(), ['ics20-1', true, 'opened'])
  bench.play(8, [
    { kind: 'ibc-channel-upgrade', channelId: 'channel-7', portId: 'transfer', version: 'ics20-2', ordered: false },
    { kind: 'ibc-channel-upgrade', channelId: 'channel-8', portId: 'transfer', version: 'ics20-2', ordered: false },
  ])
  assert.deepEqual(termsOf(), ['ics20-2', false, 'opened'])
})

test('a client moves to newer headers only, and remembers being frozen', () => {
  const { bench, clients } = ibcBench()
  const update = (revisionNumber: bigint, revisionHeight: bigint): Effect => ({
    kind: 'ibc-client-update',
    clientId: '07-tendermint-12',
    chainId: 'osmosis-2',
    revisionNumber,
    revisionHeight,
  })
  bench.play(5, [client])
  bench.play(6, [update(1n, 150n), update(1n, 120n)])
  assert.equal(clients.get('07-tendermint-12')!.latest_revision_height, 150n)
  bench.play(7, [update(2n, 10n)])
  bench.play(8, [{ kind: 'ibc-client-freeze', clientId: '07-tendermint-12', revisionNumber: 0n, revisionHeight: 1n }])
  const row = clients.get('07-tendermint-12')!
  assert.deepEqual([row.latest_revision_number, row.latest_revision_height, row.chain_id], [2n, 10n, 'osmosis-2'])
  assert.deepEqual([row.frozen_revision_height, row.updated_at], [1n, timeOf(8)])
})

const freeze: Effect = { kind: 'ibc-client-freeze', clientId: '07-tendermint-12', revisionNumber: 0n, revisionHeight: 1n }
const substitute: Effect = {
  ...(client as Extract<Effect, { kind: 'ibc-client' }>),
  clientId: '07-tendermint-13',
  chainId: 'osmosis-2',
  latestRevisionNumber: 2n,
  latestRevisionHeight: 50n,
  trustingPeriodNs: 7n,
}
const proposal: Effect = {
  kind: 'submit-proposal',
  id: 4,
  proposer: RELAYER,
  type: 'text',
  title: '',
  description: '',
  metadata: '',
  expedited: true,
  changes: null,
  constants: [],
  recoveries: [{ clientId: '07-tendermint-12', substituteId: '07-tendermint-13' }],
}
const ended = (result: Extract<Effect, { kind: 'end-proposal' }>['result']): Effect => ({
  kind: 'end-proposal',
  id: 4,
  result,
  log: '',
})

test('a passed proposal brings a frozen client back with the state of its substitute', () => {
  const { bench, clients } = ibcBench()
  bench.play(5, [client, substitute, freeze])
  bench.play(6, [proposal])
  bench.play(7, [ended('expedited-rejected')])
  assert.equal(clients.get('07-tendermint-12')!.frozen_revision_height, 1n)
  bench.play(8, [{ kind: 'ibc-client-recover', clientId: '07-tendermint-12' }, ended('passed')])
  const row = clients.get('07-tendermint-12')!
  assert.deepEqual([row.frozen_revision_number, row.frozen_revision_height], [0n, 0n])
  assert.deepEqual([row.chain_id, row.latest_revision_number, row.latest_revision_height], ['osmosis-2', 2n, 50n])
  assert.deepEqual([row.trusting_period, row.unbonding_period, row.updated_at], [7n, 20n, timeOf(8)])
})

test('a proposal that does not pass leaves the client frozen', () => {
  const { bench, clients } = ibcBench()
  bench.play(5, [client, substitute, freeze, proposal])
  bench.play(6, [ended('rejected')])
  bench.play(7, [ended('passed')])
  assert.equal(clients.get('07-tendermint-12')!.frozen_revision_height, 1n)
  bench.play(8, [proposal, { kind: 'remove-proposal', id: 4, reason: 'cancelled' }, ended('passed')])
  assert.equal(clients.get('07-tendermint-12')!.frozen_revision_height, 1n)
})

test('the event alone unfreezes a client and may tell its height', () => {
  const { bench, clients } = ibcBench()
  bench.play(5, [client, freeze])
  bench.play(6, [{ kind: 'ibc-client-recover', clientId: '07-tendermint-12', revisionNumber: 2n, revisionHeight: 3n }])
  const row = clients.get('07-tendermint-12')!
  assert.deepEqual([row.frozen_revision_height, row.latest_revision_number, row.latest_revision_height], [0n, 2n, 3n])
})

test('an upgraded client is of another chain, and is trusted for less when stake unbonds faster there', () => {
  const { bench, clients } = ibcBench()
  const upgrade = (unbondingPeriodNs: bigint): Effect => ({
    kind: 'ibc-client-upgrade',
    clientId: '07-tendermint-12',
    chainId: 'osmosis-2',
    unbondingPeriodNs,
  })
  bench.play(5, [client])
  bench.play(6, [upgrade(30n)])
  let row = clients.get('07-tendermint-12')!
  assert.deepEqual([row.chain_id, row.unbonding_period, row.trusting_period], ['osmosis-2', 30n, 10n])
  bench.play(7, [upgrade(15n)])
  row = clients.get('07-tendermint-12')!
  assert.deepEqual([row.unbonding_period, row.trusting_period], [15n, 5n])
})

test('transfers know their chain and relayer; only utia is summed on the channel', () => {
  const { bench, channels } = ibcBench()
  bench.play(5, [client, connection, channel])
  const rows = bench.play(
    6,
    [
      transfer({ tx: 1 }),
      transfer({ direction: 'out', amount: 7n, sender: account(5), receiver: null, receiverText: 'osmo1abc', memo: '' }),
      transfer({ denom: 'uosmo', amount: 10n ** 30n }),
    ],
    { txs: [[account(8)], [RELAYER, account(8)]] },
  ).ibc_transfer!
  assert.deepEqual(
    rows.map((row) => [row.id, row.chain_id, row.memo, row.sender_id, row.receiver_id]),
    [
      [String(6 * 2 ** 24), 'osmosis-1', 'ibc\\tmemo', null, String(bench.accountId(account(5)))],
      [String(6 * 2 ** 24 + 1), 'osmosis-1', null, String(bench.accountId(account(5))), null],
      [String(6 * 2 ** 24 + 2), 'osmosis-1', 'ibc\\tmemo', null, String(bench.accountId(account(5)))],
    ],
  )
  assert.deepEqual(
    [rows[0]!.relayer_id, rows[1]!.relayer_id],
    [String(bench.accountId(RELAYER)), String(bench.accountId(account(8)))],
  )
  const row = channels.get('transfer', 'channel-7')!
  assert.deepEqual([row.received, row.sent, row.transfers_count], [31337n, 7n, 3])
})

test('a transfer over the localhost connection has no chain id', () => {
  const { bench } = ibcBench()
  bench.play(5, [{ ...channel, connectionId: 'connection-localhost' } as Effect])
  const rows = bench.play(6, [transfer({ connectionId: 'connection-localhost' })]).ibc_transfer!
  assert.deepEqual([rows[0]!.chain_id, rows[0]!.connection_id, rows[0]!.relayer_id], ['', 'connection-localhost', null])
})

test('updates of what was never created are passed over', () => {
  const { bench } = ibcBench()
  bench.play(6, [
    { kind: 'ibc-client-update', clientId: '06-solomachine-0', revisionNumber: 1n, revisionHeight: 1n },
    { kind: 'ibc-connection-open', connectionId: 'connection-0', counterpartyConnectionId: '' },
    { kind: 'ibc-channel-open', channelId: 'channel-0', portId: 'x', counterpartyChannelId: '' },
    { kind: 'ibc-channel-close', channelId: 'channel-0', portId: 'x' },
  ])
  assert.equal(bench.state.head.get('true')!.total_ibc_clients, 0)
})
