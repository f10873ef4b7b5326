/** A channel for transfers (channel-0, to channel-3 over there) and one for interchain accounts, and the packets over them. */
import { create, toBinary } from '@bufbuild/protobuf'
import type { Any } from '@bufbuild/protobuf/wkt'
import { CosmosTxSchema } from '../../decode/gen/ibc/applications/interchain_accounts/v1/types_pb.ts'
import { MsgTransferSchema } from '../../decode/gen/ibc/applications/transfer/v1/types_pb.ts'
import {
  MsgAcknowledgementSchema,
  MsgChannelOpenAckSchema,
  MsgChannelOpenInitSchema,
  MsgRecvPacketSchema,
  MsgTimeoutSchema,
  Order,
} from '../../decode/gen/ibc/core/channel/v1/types_pb.ts'
import { MsgCreateClientSchema } from '../../decode/gen/ibc/core/client/v1/types_pb.ts'
import { MsgConnectionOpenAckSchema, MsgConnectionOpenInitSchema } from '../../decode/gen/ibc/core/connection/v1/types_pb.ts'
import { ClientStateSchema } from '../../decode/gen/ibc/lightclients/tendermint/v1/types_pb.ts'
import { encodeAddress, escrowAccount } from '../../lib/encoding/bech32.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { anAccount, moduleText } from './accounts.ts'
import { anEvent, mintedCoins, movedCoins } from './events.ts'
import { type Action, aMessage, anAny, aTx, type BuiltTx } from './tx.ts'

export const relayer = anAccount('relayer')
export const escrow = {
  hex: escrowAccount('transfer', 'channel-0'),
  text: encodeAddress('celestia', escrowAccount('transfer', 'channel-0')),
}
export const FOREIGN = 'osmo1qqqsyqcyq5rqwzqfpg9scrgwpugpzysn3s6k7z'
/** Denomination of the other chain's uatom on this chain. */
export const VOUCHER = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'

const TRANSFER = moduleText('transfer')
const signer = relayer.text

const connection = { connection_id: 'connection-0', client_id: '07-tendermint-0', counterparty_client_id: '07-tendermint-7' }

const openChannel = (port_id: string, channel_id: string, version: string): Action[] => {
  const channel = { port_id, channel_id, counterparty_port_id: 'transfer', connection_id: 'connection-0' }
  return [
    {
      message: aMessage(MsgChannelOpenInitSchema, { portId: port_id, channel: { ordering: Order.UNORDERED, version }, signer }),
      events: [anEvent('channel_open_init', { ...channel, version })],
    },
    {
      message: aMessage(MsgChannelOpenAckSchema, { portId: port_id, channelId: channel_id, signer }),
      events: [anEvent('channel_open_ack', { ...channel, counterparty_channel_id: 'channel-3' })],
    },
  ]
}

/** Everything that has to be open before packets flow, in one tx. */
export function openChannels(): BuiltTx {
  const clientState = anAny(ClientStateSchema, {
    chainId: 'osmosis-1',
    latestHeight: { revisionNumber: 1n, revisionHeight: 99n },
  })
  return relayed(
    {
      message: aMessage(MsgCreateClientSchema, { clientState, signer }),
      events: [
        anEvent('create_client', { client_id: '07-tendermint-0', client_type: '07-tendermint', consensus_height: '1-99' }),
      ],
    },
    { message: aMessage(MsgConnectionOpenInitSchema, { signer }), events: [anEvent('connection_open_init', connection)] },
    {
      message: aMessage(MsgConnectionOpenAckSchema, { signer }),
      events: [anEvent('connection_open_ack', { ...connection, counterparty_connection_id: 'connection-5' })],
    },
    ...openChannel('transfer', 'channel-0', 'ics20-1'),
    ...openChannel('icahost', 'channel-1', 'ics27-1'),
  )
}

export function relayed(...actions: Action[]): BuiltTx {
  return aTx({ from: relayer.text, actions })
}

export type Transfer = { denom: string; amount: string; sender: string; receiver: string; memo?: string; sequence?: bigint }

const packetData = ({ denom, amount, sender, receiver, memo = '' }: Transfer) =>
  Buffer.from(JSON.stringify({ amount, denom, memo, receiver, sender }))

const outgoing = (transfer: Transfer) => ({
  sequence: transfer.sequence ?? 1n,
  sourcePort: 'transfer',
  sourceChannel: 'channel-0',
  destinationPort: 'transfer',
  destinationChannel: 'channel-3',
  data: packetData(transfer),
})

const incoming = (data: Uint8Array, port = 'transfer', sequence = 1n) => ({
  sequence,
  sourcePort: 'transfer',
  sourceChannel: 'channel-3',
  destinationPort: port,
  destinationChannel: port === 'transfer' ? 'channel-0' : 'channel-1',
  data,
})

const NO_PROOF: Uint8Array = new Uint8Array()

const isVoucher = ({ denom }: Transfer) => denom.startsWith('transfer/channel-0/')

/** Native coins go to the escrow account, vouchers are burned. */
export function aTransferOut(transfer: Transfer): BuiltTx {
  return aTx({ from: transfer.sender, actions: [sending(transfer)] })
}

export function sending(transfer: Transfer): Action {
  const { amount, sender } = transfer
  const coins = amount + (isVoucher(transfer) ? VOUCHER : transfer.denom)
  const moved = isVoucher(transfer)
    ? [
        ...movedCoins(sender, TRANSFER, coins),
        anEvent('coin_spent', { spender: TRANSFER, amount: coins }),
        anEvent('burn', { burner: TRANSFER, amount: coins }),
      ]
    : movedCoins(sender, escrow.text, coins)
  const message = aMessage(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: 'channel-0',
    token: { denom: isVoucher(transfer) ? VOUCHER : transfer.denom, amount },
    sender,
    receiver: transfer.receiver,
  })
  const events = [...moved, anEvent('send_packet', { packet_connection: 'connection-0' }), anEvent('ibc_transfer', { sender })]
  return { message, events }
}

/** The way back of what could not be delivered. */
function refundEvents(transfer: Transfer): ChainEvent[] {
  const { amount, sender, denom } = transfer
  if (!isVoucher(transfer)) return movedCoins(escrow.text, sender, amount + denom)
  return [...mintedCoins('transfer', amount + VOUCHER), ...movedCoins(TRANSFER, sender, amount + VOUCHER)]
}

export function timedOut(transfer: Transfer): Action {
  return {
    message: aMessage(MsgTimeoutSchema, { packet: outgoing(transfer), signer }),
    events: [
      anEvent('timeout_packet', { packet_connection: 'connection-0' }),
      ...refundEvents(transfer),
      anEvent('timeout', { module: 'transfer', refund_receiver: transfer.sender, refund_amount: transfer.amount }),
    ],
  }
}

export function acknowledged(transfer: Transfer, error?: string, proof = NO_PROOF): Action {
  const acknowledgement = error === undefined ? { result: 'AQ==' } : { error }
  return {
    message: aMessage(MsgAcknowledgementSchema, {
      packet: outgoing(transfer),
      acknowledgement: Buffer.from(JSON.stringify(acknowledgement)),
      proofAcked: proof,
      signer,
    }),
    events: [
      anEvent('acknowledge_packet', { packet_connection: 'connection-0' }),
      ...(error === undefined ? [] : refundEvents(transfer)),
      anEvent('fungible_token_packet', {
        module: 'transfer',
        sender: transfer.sender,
        acknowledgement: JSON.stringify(acknowledgement),
      }),
      anEvent('fungible_token_packet', error === undefined ? { success: '\u0001' } : { error }),
    ],
  }
}

/** `outcome`: what the application made of it, with the coins it moved. */
export function received(transfer: Transfer, outcome: ChainEvent[], proof = NO_PROOF): Action {
  const packet = incoming(packetData(transfer), 'transfer', transfer.sequence)
  return {
    message: aMessage(MsgRecvPacketSchema, { packet, proofCommitment: proof, signer }),
    events: [anEvent('recv_packet', { packet_connection: 'connection-0' }), ...outcome],
  }
}

export const accepted = anEvent('fungible_token_packet', { module: 'transfer', success: 'true' })
export const acknowledgement = (text: string) => anEvent('write_acknowledgement', { packet_ack: text })

/** Native coins that come home leave the escrow; foreign ones are minted. */
export const unescrowed = (to: string, amount: bigint): ChainEvent[] => [
  ...movedCoins(escrow.text, to, `${amount}utia`),
  accepted,
]
export const vouchersMinted = (to: string, amount: bigint): ChainEvent[] => [
  ...mintedCoins('transfer', amount + VOUCHER),
  ...movedCoins(TRANSFER, to, amount + VOUCHER),
  accepted,
]

/** Messages for an interchain account and the events of running them. */
export function hosted(messages: Any[], outcome: ChainEvent[]): Action {
  const tx = toBinary(CosmosTxSchema, create(CosmosTxSchema, { messages }))
  const data = Buffer.from(JSON.stringify({ type: 'TYPE_EXECUTE_TX', data: Buffer.from(tx).toString('base64'), memo: '' }))
  return {
    message: aMessage(MsgRecvPacketSchema, { packet: incoming(data, 'icahost'), signer }),
    events: [anEvent('recv_packet', { packet_connection: 'connection-0' }), ...outcome],
  }
}

export const executed = [
  anEvent('ics27_packet', { module: 'interchainaccounts', success: 'true' }),
  acknowledgement('{"result":"EgA="}'),
]

/** Events of a callback that failed, as ibc-go repeats them. */
export function failedEvents(events: ChainEvent[]): ChainEvent[] {
  return events.map(({ type, attributes }) => ({ type: `ibccallbackerror-${type}`, attributes }))
}
