import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  type Action,
  aBlock,
  aMessage,
  anAccount,
  anAny,
  anEvent,
  aTx,
  aValidator,
  movedCoins,
  type TxSpec,
} from '../../test/builders.ts'
import { MsgSendSchema } from '../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgBeginRedelegateSchema } from '../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { CosmosTxSchema } from '../decode/gen/ibc/applications/interchain_accounts/v1/types_pb.ts'
import {
  MsgAcknowledgementSchema,
  MsgChannelOpenAckSchema,
  MsgChannelOpenInitSchema,
  MsgChannelUpgradeConfirmSchema,
  MsgRecvPacketSchema,
  MsgTimeoutSchema,
  Order,
} from '../decode/gen/ibc/core/channel/v1/types_pb.ts'
import {
  MsgCreateClientSchema,
  MsgUpdateClientSchema,
  MsgUpgradeClientSchema,
} from '../decode/gen/ibc/core/client/v1/types_pb.ts'
import { MsgConnectionOpenAckSchema } from '../decode/gen/ibc/core/connection/v1/types_pb.ts'
import { ClientStateSchema, HeaderSchema } from '../decode/gen/ibc/lightclients/tendermint/v1/types_pb.ts'
import { encodeAddress } from '../lib/encoding/bech32.ts'
import { addressRoleId } from '../types/address-role.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import { deriveBlock } from './block.ts'

const [alice, relayer] = [anAccount('alice'), anAccount('relayer')]
const foreign = 'osmo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn3s6k7z'

function derive(actions: Action[], spec: Partial<TxSpec> = {}): BlockFacts {
  return deriveBlock(aBlock(9, { txs: [aTx({ from: relayer.text, actions, ...spec })] }))
}

const origin = { tx: 0, message: 0 }

test('a new Tendermint client tells its chain, heights and periods', () => {
  const clientState = anAny(ClientStateSchema, {
    chainId: 'osmosis-1',
    trustLevel: { numerator: 1n, denominator: 3n },
    trustingPeriod: { seconds: 10n },
    unbondingPeriod: { seconds: 20n },
    maxClockDrift: { seconds: 0n, nanos: 5 },
    latestHeight: { revisionNumber: 1n, revisionHeight: 99n },
  })
  const event = anEvent('create_client', { client_id: '07-tendermint-3', client_type: '07-tendermint', consensus_height: '1-99' })
  const { effects } = derive([
    { message: aMessage(MsgCreateClientSchema, { clientState, signer: relayer.text }), events: [event] },
  ])
  assert.deepEqual(effects, [
    {
      kind: 'ibc-client',
      clientId: '07-tendermint-3',
      type: '07-tendermint',
      chainId: 'osmosis-1',
      creator: relayer.hex,
      latestRevisionNumber: 1n,
      latestRevisionHeight: 99n,
      frozenRevisionNumber: 0n,
      frozenRevisionHeight: 0n,
      trustingPeriodNs: 10_000_000_000n,
      unbondingPeriodNs: 20_000_000_000n,
      maxClockDriftNs: 5n,
      trustLevelNumerator: 1n,
      trustLevelDenominator: 3n,
      ...origin,
    },
  ])
})

test('a client of another kind has its type only', () => {
  const event = anEvent('create_client', { client_id: '06-solomachine-0', client_type: '06-solomachine' })
  const clientState = {
    ...anAny(ClientStateSchema, {}),
    typeUrl: '/ibc.lightclients.solomachine.v3.ClientState',
    value: Uint8Array.of(255),
  }
  const [effect] = derive([
    { message: aMessage(MsgCreateClientSchema, { clientState, signer: relayer.text }), events: [event] },
  ]).effects
  assert.deepEqual(effect!.kind === 'ibc-client' && [effect.type, effect.chainId], ['06-solomachine', ''])
})

test('an update moves the client to the highest height and reads the chain id from the header', () => {
  const clientMessage = anAny(HeaderSchema, { signedHeader: { header: { chainId: 'osmosis-2' } } })
  const event = anEvent('update_client', {
    client_id: 'c',
    consensus_height: '1-5',
    consensus_heights: '1-5,2-3,1-9',
    header: 'ab',
  })
  const { effects } = derive([
    { message: aMessage(MsgUpdateClientSchema, { clientId: 'c', clientMessage, signer: relayer.text }), events: [event] },
  ])
  assert.deepEqual(effects, [
    { kind: 'ibc-client-update', clientId: 'c', revisionNumber: 2n, revisionHeight: 3n, chainId: 'osmosis-2', ...origin },
  ])
})

test('misbehaviour freezes the client', () => {
  const events = [anEvent('client_misbehaviour', { client_id: 'c', client_type: '07-tendermint' })]
  const { effects } = derive([{ message: aMessage(MsgUpdateClientSchema, { clientId: 'c', signer: relayer.text }), events }])
  assert.deepEqual(effects, [{ kind: 'ibc-client-freeze', clientId: 'c', revisionNumber: 0n, revisionHeight: 1n, ...origin }])
})

test('an upgraded client tells its new chain, then its new height', () => {
  const clientState = anAny(ClientStateSchema, { chainId: 'osmosis-2', unbondingPeriod: { seconds: 20n } })
  const event = anEvent('upgrade_client', { client_id: 'c', client_type: '07-tendermint', consensus_height: '2-1' })
  const { effects } = derive([
    { message: aMessage(MsgUpgradeClientSchema, { clientId: 'c', clientState, signer: relayer.text }), events: [event] },
  ])
  assert.deepEqual(effects, [
    { kind: 'ibc-client-upgrade', clientId: 'c', chainId: 'osmosis-2', unbondingPeriodNs: 20_000_000_000n, ...origin },
    { kind: 'ibc-client-update', clientId: 'c', revisionNumber: 2n, revisionHeight: 1n, ...origin },
  ])
})

test('recoveries are told at the end of a block, by either generation', () => {
  const end = [
    anEvent('update_client_proposal', { subject_client_id: 'old', client_type: '07-tendermint', consensus_height: '1-77' }),
    anEvent('recover_client', { subject_client_id: 'new', client_type: '07-tendermint' }),
  ]
  assert.deepEqual(deriveBlock(aBlock(9, { end })).effects, [
    { kind: 'ibc-client-recover', clientId: 'old', revisionNumber: 1n, revisionHeight: 77n },
    { kind: 'ibc-client-recover', clientId: 'new' },
  ])
})

test('connections and channels follow their handshakes', () => {
  const connection = anEvent('connection_open_ack', {
    connection_id: 'connection-1',
    client_id: 'c',
    counterparty_connection_id: 'connection-7',
  })
  const channel = anEvent('channel_open_init', {
    port_id: 'transfer',
    channel_id: 'channel-2',
    counterparty_port_id: 'transfer',
    connection_id: 'connection-1',
    version: 'ics20-1',
  })
  const { effects } = derive([
    { message: aMessage(MsgConnectionOpenAckSchema, { signer: relayer.text }), events: [connection] },
    {
      message: aMessage(MsgChannelOpenInitSchema, {
        portId: 'transfer',
        channel: { ordering: Order.ORDERED },
        signer: relayer.text,
      }),
      events: [channel],
    },
    {
      message: aMessage(MsgTimeoutSchema, { signer: relayer.text }),
      events: [anEvent('channel_close', { port_id: 'transfer', channel_id: 'channel-2' })],
    },
  ])
  assert.deepEqual(effects, [
    { kind: 'ibc-connection-open', connectionId: 'connection-1', counterpartyConnectionId: 'connection-7', ...origin },
    {
      kind: 'ibc-channel',
      channelId: 'channel-2',
      portId: 'transfer',
      connectionId: 'connection-1',
      counterpartyPortId: 'transfer',
      counterpartyChannelId: '',
      version: 'ics20-1',
      ordered: true,
      creator: relayer.hex,
      tx: 0,
      message: 1,
    },
    { kind: 'ibc-channel-close', channelId: 'channel-2', portId: 'transfer', tx: 0, message: 2 },
  ])
})

test('the version of a channel is what the other side answered', () => {
  const ack = anEvent('channel_open_ack', { port_id: 'transfer', channel_id: 'channel-2', counterparty_channel_id: 'channel-5' })
  const opened = (counterpartyVersion: string) =>
    derive([
      {
        message: aMessage(MsgChannelOpenAckSchema, { portId: 'transfer', counterpartyVersion, signer: relayer.text }),
        events: [ack],
      },
    ]).effects
  const open = { kind: 'ibc-channel-open', channelId: 'channel-2', portId: 'transfer', counterpartyChannelId: 'channel-5' }
  assert.deepEqual(opened('ics20-1'), [{ ...open, version: 'ics20-1', ...origin }])
  assert.deepEqual(opened(''), [{ ...open, ...origin }])
})

test('a channel that is upgraded has new terms', () => {
  const message = aMessage(MsgChannelUpgradeConfirmSchema, { portId: 'icahost', channelId: 'channel-2', signer: relayer.text })
  const upgraded = anEvent('channel_upgrade_open', {
    port_id: 'icahost',
    channel_id: 'channel-2',
    channel_state: 'STATE_OPEN',
    connection_hops: 'connection-1',
    version: 'ics27-2',
    ordering: 'ORDER_UNORDERED',
  })
  assert.deepEqual(derive([{ message, events: [upgraded] }]).effects, [
    { kind: 'ibc-channel-upgrade', channelId: 'channel-2', portId: 'icahost', version: 'ics27-2', ordered: false, ...origin },
  ])
})

function packet(data: unknown, port = 'transfer') {
  return {
    sequence: 4n,
    sourcePort: 'transfer',
    sourceChannel: 'channel-0',
    destinationPort: port,
    destinationChannel: 'channel-9',
    data: Buffer.from(JSON.stringify(data)),
    timeoutHeight: { revisionNumber: 1n, revisionHeight: 77n },
    timeoutTimestamp: 1_794_716_890_311_562_045n,
  }
}

const incoming = { denom: 'transfer/channel-0/utia', amount: '31337', sender: foreign, receiver: alice.text, memo: 'hi\u0000' }
const recvPacket = anEvent('recv_packet', { packet_connection: 'connection-1' })
const accepted = anEvent('fungible_token_packet', { module: 'transfer', success: 'true' })
const receive = (data: unknown) => aMessage(MsgRecvPacketSchema, { packet: packet(data), signer: relayer.text })

test('a received transfer makes a row on the destination channel and links the parties of this chain', () => {
  const { effects, messages } = derive([{ message: receive(incoming), events: [recvPacket, accepted] }])
  assert.deepEqual(effects, [
    {
      kind: 'ibc-transfer',
      direction: 'in',
      channelId: 'channel-9',
      portId: 'transfer',
      connectionId: 'connection-1',
      amount: 31_337n,
      denom: 'utia',
      memo: 'hi\ufffd',
      sender: null,
      senderText: foreign,
      receiver: alice.hex,
      receiverText: alice.text,
      timeout: '2026-11-15T04:28:10.311562Z',
      timeoutHeight: 77n,
      sequence: 4n,
      ...origin,
    },
  ])
  assert.deepEqual(messages[0]!.links, [
    [relayer.hex, addressRoleId('signer')],
    [alice.hex, addressRoleId('receiver')],
  ])
})

test('a refused packet, a packet delivered before and a failed tx make no row', () => {
  const refused = anEvent('fungible_token_packet', { success: 'false', error: 'no' })
  assert.deepEqual(derive([{ message: receive(incoming), events: [recvPacket, refused] }]).effects, [])
  assert.deepEqual(derive([{ message: receive(incoming), events: [] }]).effects, [])
  const failed = derive([{ message: receive(incoming) }], { code: 1 })
  assert.deepEqual(failed.effects, [])
  assert.deepEqual(failed.messages[0]!.links, [[relayer.hex, addressRoleId('signer')]])
})

test('a transfer out counts when its acknowledgement is a success', () => {
  const message = aMessage(MsgAcknowledgementSchema, {
    packet: packet({ ...incoming, denom: 'utia', sender: alice.text, receiver: foreign }),
    signer: relayer.text,
  })
  const acknowledged = anEvent('acknowledge_packet', { packet_connection: 'connection-1' })
  const [effect] = derive([
    {
      message,
      events: [
        acknowledged,
        anEvent('fungible_token_packet', { module: 'transfer' }),
        anEvent('fungible_token_packet', { success: '\u0001' }),
      ],
    },
  ]).effects
  assert.deepEqual(effect!.kind === 'ibc-transfer' && [effect.direction, effect.channelId, effect.sender, effect.receiver], [
    'out',
    'channel-0',
    alice.hex,
    null,
  ])
  const refused = [
    acknowledged,
    anEvent('fungible_token_packet', { module: 'transfer' }),
    anEvent('fungible_token_packet', { error: 'ABCI code: 1' }),
  ]
  assert.deepEqual(derive([{ message, events: refused }]).effects, [])
})

test('a denom that came through several channels keeps its path', () => {
  const denom = 'transfer/channel-0/transfer/channel-1/uosmo'
  const [effect] = derive([{ message: receive({ ...incoming, denom }), events: [recvPacket, accepted] }]).effects
  assert.equal(effect!.kind === 'ibc-transfer' && effect.denom, denom)
})

test('any bytes in a packet are harmless', () => {
  for (const data of [Buffer.from([255, 0]), Buffer.from('null'), Buffer.from('{"amount":5}'), Buffer.from('{"amount":"-5"}')]) {
    const message = aMessage(MsgRecvPacketSchema, { packet: { ...packet({}), data }, signer: relayer.text })
    assert.deepEqual(derive([{ message, events: [recvPacket, accepted] }]).effects, [])
  }
})

const host = { hex: 'ab'.repeat(32), text: encodeAddress('celestia', 'ab'.repeat(32)) }
const [one, two] = [aValidator('one'), aValidator('two')]
const hosted = create(CosmosTxSchema, {
  messages: [
    anAny(MsgSendSchema, { fromAddress: host.text, toAddress: alice.text }),
    anAny(MsgBeginRedelegateSchema, {
      delegatorAddress: host.text,
      validatorSrcAddress: one.operator,
      validatorDstAddress: two.operator,
    }),
  ],
})
const icaMessage = (data: string | Uint8Array, type: unknown = 'TYPE_EXECUTE_TX') =>
  aMessage(MsgRecvPacketSchema, {
    packet: packet({ type, data: Buffer.from(data).toString('base64'), memo: '' }, 'icahost'),
    signer: relayer.text,
  })
const moved = [
  ...movedCoins(host.text, alice.text, '5utia'),
  anEvent('redelegate', {
    source_validator: one.operator,
    destination_validator: two.operator,
    amount: '6utia',
    completion_time: '0001-01-01T00:00:00Z',
  }),
]
const executed = [
  recvPacket,
  ...moved,
  anEvent('ics27_packet', { success: 'true' }),
  anEvent('write_acknowledgement', { packet_ack: '{"result":"AQ=="}' }),
]
const redelegated = { kind: 'redelegate', source: one.hex, destination: two.hex, delegator: host.hex, amount: 6n, ...origin }

test('messages of an interchain account act for that account when the packet was executed', () => {
  const { effects, messages } = derive([{ message: icaMessage(toBinary(CosmosTxSchema, hosted)), events: executed }])
  assert.deepEqual(effects, [redelegated])
  assert.deepEqual(messages[0]!.links.slice(1, 3), [
    [host.hex, addressRoleId('fromAddress')],
    [alice.hex, addressRoleId('toAddress')],
  ])
  assert.deepEqual(messages[0]!.validators, [one.hex, two.hex])
})

test('the same in JSON, as channels of encoding proto3json send it', () => {
  const json = JSON.stringify({
    messages: [
      {
        '@type': '/cosmos.staking.v1beta1.MsgBeginRedelegate',
        delegator_address: host.text,
        validator_src_address: one.operator,
        validator_dst_address: two.operator,
        amount: { denom: 'utia', amount: '6' },
      },
    ],
  })
  assert.deepEqual(derive([{ message: icaMessage(json, 1), events: executed }]).effects, [redelegated])
})

test('a packet that failed on the account links nobody and changes nothing', () => {
  const events = [
    recvPacket,
    anEvent('ibccallbackerror-ics27_packet', { success: 'false' }),
    anEvent('write_acknowledgement', { packet_ack: '{"error":"ABCI code: 5"}' }),
  ]
  const { effects, messages } = derive([{ message: icaMessage(toBinary(CosmosTxSchema, hosted)), events }])
  assert.deepEqual(effects, [])
  assert.deepEqual(messages[0]!.links, [[relayer.hex, addressRoleId('signer')]])
})
