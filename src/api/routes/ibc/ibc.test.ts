import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Action, aBlock, aGenesis, aMessage, anAccount, anAny, anEvent, aTx, blockTime } from '../../../../test/builders.ts'
import { indexBlocks } from '../../../../test/support/built-chain.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'
import { SCHEMA } from '../../../../test/support/templates.ts'
import { openWriterSql } from '../../../../test/support/writer-sql.ts'
import {
  MsgChannelOpenAckSchema,
  MsgChannelOpenInitSchema,
  MsgRecvPacketSchema,
  Order,
} from '../../../decode/gen/ibc/core/channel/v1/types_pb.ts'
import { MsgCreateClientSchema } from '../../../decode/gen/ibc/core/client/v1/types_pb.ts'
import { MsgConnectionOpenAckSchema, MsgConnectionOpenInitSchema } from '../../../decode/gen/ibc/core/connection/v1/types_pb.ts'
import { ClientStateSchema } from '../../../decode/gen/ibc/lightclients/tendermint/v1/types_pb.ts'

const [alice, bob, relayer] = [anAccount('alice'), anAccount('bob'), anAccount('relayer')]
const FOREIGN = 'osmo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn3s6k7z'

const byRelayer = (...actions: Action[]) => aTx({ from: relayer.text, actions })

const createClient = (number: number, chainId: string): Action => ({
  message: aMessage(MsgCreateClientSchema, {
    clientState: anAny(ClientStateSchema, {
      chainId,
      trustLevel: { numerator: 1n, denominator: 3n },
      trustingPeriod: { seconds: 1_209_600n },
      unbondingPeriod: { seconds: 1_814_400n },
      maxClockDrift: { nanos: 5 },
      latestHeight: { revisionNumber: 1n, revisionHeight: 99n },
    }),
    signer: relayer.text,
  }),
  events: [
    anEvent('create_client', { client_id: `07-tendermint-${number}`, client_type: '07-tendermint', consensus_height: '1-99' }),
  ],
})

const connection = { connection_id: 'connection-0', client_id: '07-tendermint-0', counterparty_client_id: '07-tendermint-7' }
const initConnection: Action = {
  message: aMessage(MsgConnectionOpenInitSchema, { signer: relayer.text }),
  events: [anEvent('connection_open_init', { ...connection, counterparty_connection_id: '' })],
}
const openConnection: Action = {
  message: aMessage(MsgConnectionOpenAckSchema, { signer: relayer.text }),
  events: [anEvent('connection_open_ack', { ...connection, counterparty_connection_id: 'connection-5' })],
}
const channel = { port_id: 'transfer', channel_id: 'channel-0', counterparty_port_id: 'transfer', connection_id: 'connection-0' }
const initChannel: Action = {
  message: aMessage(MsgChannelOpenInitSchema, {
    portId: 'transfer',
    channel: { ordering: Order.UNORDERED, version: 'ics20-1' },
    signer: relayer.text,
  }),
  events: [anEvent('channel_open_init', { ...channel, version: 'ics20-1' })],
}
const openChannel: Action = {
  message: aMessage(MsgChannelOpenAckSchema, { portId: 'transfer', channelId: 'channel-0', signer: relayer.text }),
  events: [anEvent('channel_open_ack', { ...channel, counterparty_channel_id: 'channel-3' })],
}
const receive = (receiver: string, amount: string, timeoutHeight = 0n): Action => ({
  message: aMessage(MsgRecvPacketSchema, {
    packet: {
      sequence: 4n,
      sourcePort: 'transfer',
      sourceChannel: 'channel-3',
      destinationPort: 'transfer',
      destinationChannel: 'channel-0',
      data: Buffer.from(JSON.stringify({ denom: 'transfer/channel-3/utia', amount, sender: FOREIGN, receiver, memo: '' })),
      timeoutHeight: { revisionNumber: 1n, revisionHeight: timeoutHeight },
      timeoutTimestamp: 0n,
    },
    signer: relayer.text,
  }),
  events: [
    anEvent('recv_packet', { packet_connection: 'connection-0' }),
    anEvent('fungible_token_packet', { module: 'transfer', success: 'true' }),
  ],
})

describe('IBC', () => {
  let api: ServedChain
  before(async () => {
    const genesis = aGenesis({ balances: { [alice.text]: 1_000_000n, [bob.text]: 1_000_000n, [relayer.text]: 1_000_000n } })
    const { url, close } = await indexBlocks(genesis, [
      aBlock(1, { txs: [byRelayer(createClient(0, 'osmosis-1'), initConnection)] }),
      aBlock(2, { txs: [byRelayer(createClient(1, 'neutron-1'))] }),
      aBlock(3, { txs: [byRelayer(openConnection, initChannel)] }),
      aBlock(4, { txs: [byRelayer(openChannel)] }),
      aBlock(5, {
        txs: [byRelayer(receive(alice.text, '10', 77n)), byRelayer(receive(bob.text, '20'), receive(alice.text, '30'))],
      }),
    ])
    await close()
    const sql = openWriterSql(url, SCHEMA)
    const relayers = [
      {
        name: 'Relay',
        logo: 'https://relay.example/logo.png',
        addresses: [relayer.text],
        contact: { website: 'https://relay.example' },
      },
    ]
    await sql`insert into registry (name, document, updated_at) values ('relayers', ${JSON.stringify(relayers)}::jsonb, now())`
    await sql.end()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('clients come newest first with their light client', async () => {
    const rows = await api.list('/ibc/client')
    assert.deepEqual(
      rows.map((row) => row.id),
      ['07-tendermint-1', '07-tendermint-0'],
    )
    const { tx_hash, ...client } = rows[1]!
    assert.match(String(tx_hash), /^[0-9a-f]{64}$/)
    assert.deepEqual(client, {
      id: '07-tendermint-0',
      type: '07-tendermint',
      created_at: blockTime(1).replace('.000', ''),
      updated_at: blockTime(1).replace('.000', ''),
      height: 1,
      chain_id: 'osmosis-1',
      latest_revision_height: 99,
      latest_revision_number: 1,
      frozen_revision_height: 0,
      frozen_revision_number: 0,
      trusting_period: 1_209_600_000_000_000,
      unbonding_period: 1_814_400_000_000_000,
      max_clock_drift: 5,
      trust_level_denominator: 3,
      trust_level_numerator: 1,
      connection_count: 1,
      creator: { hash: relayer.text },
    })
    assert.deepEqual((await api.get('/ibc/client/07-tendermint-0')).body, rows[1])
    assert.deepEqual(await api.list(`/ibc/client?creator=${relayer.text}&chain_id=osmosis-1`), [rows[1]])
    assert.deepEqual(await api.list(`/ibc/client?creator=${alice.text}`), [])
    assert.equal((await api.get(`/ibc/client?creator=${anAccount('stranger').text}`)).status, 204)
    assert.equal((await api.get('/ibc/client/count')).status, 204)
  })

  test('a connection and a channel tell both ends of their handshake', async () => {
    const [connection] = await api.list('/ibc/connection?client_id=07-tendermint-0')
    assert.deepEqual(
      [
        connection!.id,
        connection!.height,
        connection!.connected_height,
        connection!.counterparty_connection_id,
        connection!.channels_count,
      ],
      ['connection-0', 1, 3, 'connection-5', 1],
    )
    assert.deepEqual(connection!.client, { id: '07-tendermint-0', type: '07-tendermint', chain_id: 'osmosis-1' })
    assert.deepEqual((await api.get('/ibc/connection/connection-0')).body, connection)
    const [channel] = await api.list('/ibc/channel?status=opened&connection_id=connection-0')
    assert.deepEqual(
      [
        channel!.id,
        channel!.ordering,
        channel!.version,
        channel!.height,
        channel!.confirmation_height,
        channel!.counterparty_channel_id,
      ],
      ['channel-0', false, 'ics20-1', 3, 4, 'channel-3'],
    )
    assert.deepEqual(channel!.creator, { hash: relayer.text })
    assert.deepEqual((await api.get('/ibc/channel/channel-0')).body, channel)
    assert.deepEqual(await api.list('/ibc/channel?status=closed'), [])
    assert.equal((await api.get('/ibc/channel/channel-9')).status, 204)
  })

  test('transfers name foreign parties by their text and relayers by the registry', async () => {
    const rows = await api.list('/ibc/transfer?sort=asc')
    assert.deepEqual(
      rows.map((row) => [row.amount, row.receiver]),
      [
        ['10', { hash: alice.text }],
        ['20', { hash: bob.text }],
        ['30', { hash: alice.text }],
      ],
    )
    const [first] = rows
    assert.deepEqual(first!.sender, { hash: FOREIGN })
    assert.equal((first!.relayer as { name: string }).name, 'Relay')
    assert.deepEqual([first!.chain_id, first!.timeout_height, first!.denom], ['osmosis-1', 77, 'utia'])
    assert.ok(!('timeout' in first!) && !('memo' in first!) && !('timeout_height' in rows[1]!))
    assert.deepEqual((await api.get(`/ibc/transfer/${first!.id}`)).body, first)
    // Clients of the reference service number transfers from 1.
    for (const [i, row] of rows.entries()) assert.deepEqual((await api.get(`/ibc/transfer/${i + 1}`)).body, row)
    assert.equal((await api.get('/ibc/transfer/4')).status, 204)
  })

  test('transfers can be narrowed by party, channel, chain and tx', async () => {
    const all = await api.list('/ibc/transfer')
    const [third, second, first] = all
    assert.deepEqual(await api.list(`/ibc/transfer?receiver=${alice.text}`), [third, first])
    assert.deepEqual(await api.list(`/ibc/transfer?address=${alice.text}&offset=1`), [first])
    assert.deepEqual(await api.list(`/ibc/transfer?address=${alice.text}&sort=asc&cursor=${first!.id}`), [third])
    assert.deepEqual(await api.list(`/ibc/transfer?sender=${alice.text}`), [])
    assert.deepEqual(await api.list(`/ibc/transfer?hash=${second!.tx_hash}`), [third, second])
    assert.deepEqual(await api.list('/ibc/transfer?channel_id=channel-0&chain_id=osmosis-1&limit=1'), [third])
    assert.deepEqual(await api.list('/ibc/transfer?chain_id=elsewhere'), [])
    assert.deepEqual(await api.list(`/ibc/transfer?hash=${'0'.repeat(64)}`), [])
    for (const name of ['sender', 'receiver', 'address'])
      assert.equal((await api.get(`/ibc/transfer?${name}=${anAccount('stranger').text}`)).status, 204, name)
  })

  test('relayers come as the registry has them', async () => {
    assert.equal((await api.list('/ibc/relayers'))[0]!.name, 'Relay')
  })
})
