/** Channels and packets. A transfer makes its row where it is known to have worked: on receipt, or when the acknowledgement arrives. */
import {
  type Channel,
  MsgAcknowledgementSchema,
  MsgChannelCloseConfirmSchema,
  MsgChannelCloseInitSchema,
  MsgChannelOpenAckSchema,
  MsgChannelOpenConfirmSchema,
  MsgChannelOpenInitSchema,
  MsgChannelOpenTrySchema,
  MsgChannelUpgradeAckSchema,
  MsgChannelUpgradeCancelSchema,
  MsgChannelUpgradeConfirmSchema,
  MsgChannelUpgradeInitSchema,
  MsgChannelUpgradeOpenSchema,
  MsgChannelUpgradeTimeoutSchema,
  MsgChannelUpgradeTrySchema,
  MsgPruneAcknowledgementsSchema,
  MsgRecvPacketSchema,
  MsgTimeoutOnCloseSchema,
  MsgTimeoutSchema,
  MsgUpdateParamsSchema,
  Order,
  ParamsSchema,
} from '../../decode/gen/ibc/core/channel/v1/types_pb.ts'
import { readTransferPacket } from '../../decode/packet.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { attributeOf, findEvent } from '../attributes.ts'
import { transferEffects } from '../ibc-transfer.ts'
import { readHostedMessages } from '../interchain-account.ts'
import { handler, type Link, type MessageScope, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const ibcChannelMessages: MessageTable = {
  '/ibc.core.channel.v1.MsgChannelOpenInit': handler(MsgChannelOpenInitSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    effects: (scope) => openChannel(scope, 'channel_open_init', msg.signer, msg.channel),
  })),
  '/ibc.core.channel.v1.MsgChannelOpenTry': handler(MsgChannelOpenTrySchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    effects: (scope) => openChannel(scope, 'channel_open_try', msg.signer, msg.channel),
  })),
  '/ibc.core.channel.v1.MsgChannelOpenAck': handler(MsgChannelOpenAckSchema, (msg) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    ...(msg.counterpartyVersion === '' ? {} : { channelVersion: msg.counterpartyVersion }),
  })),
  '/ibc.core.channel.v1.MsgChannelOpenConfirm': signedBy(MsgChannelOpenConfirmSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelCloseInit': signedBy(MsgChannelCloseInitSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelCloseConfirm': signedBy(MsgChannelCloseConfirmSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgRecvPacket': handler(MsgRecvPacketSchema, (msg, success) => {
    const { packet, signer } = msg
    const links: Link[] = [['signer', signer]]
    if (packet?.destinationPort === 'icahost') return { signers: [signer], links, hosted: readHostedMessages(packet.data) }
    const transfer = packet?.destinationPort === 'transfer' ? readTransferPacket(packet.data) : undefined
    if (!packet || !transfer) return { signers: [signer], links }
    if (success) links.push(['receiver', transfer.receiver], ['sender', transfer.sender])
    return { signers: [signer], links, effects: ({ events }) => transferEffects('in', packet, transfer, events) }
  }),
  '/ibc.core.channel.v1.MsgAcknowledgement': handler(MsgAcknowledgementSchema, (msg, success) => {
    const { packet, signer } = msg
    const links: Link[] = [['signer', signer]]
    const transfer = packet?.sourcePort === 'transfer' ? readTransferPacket(packet.data) : undefined
    if (!packet || !transfer) return { signers: [signer], links }
    if (success) links.push(['sender', transfer.sender], ['receiver', transfer.receiver])
    return { signers: [signer], links, effects: ({ events }) => transferEffects('out', packet, transfer, events) }
  }),
  '/ibc.core.channel.v1.MsgTimeout': signedBy(MsgTimeoutSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgTimeoutOnClose': signedBy(MsgTimeoutOnCloseSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgUpdateParams': updateModuleParams('ibc', MsgUpdateParamsSchema, ParamsSchema),
  '/ibc.core.channel.v1.MsgChannelUpgradeInit': signedBy(MsgChannelUpgradeInitSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelUpgradeTry': signedBy(MsgChannelUpgradeTrySchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelUpgradeAck': signedBy(MsgChannelUpgradeAckSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelUpgradeConfirm': signedBy(MsgChannelUpgradeConfirmSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelUpgradeOpen': signedBy(MsgChannelUpgradeOpenSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelUpgradeTimeout': signedBy(MsgChannelUpgradeTimeoutSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgChannelUpgradeCancel': signedBy(MsgChannelUpgradeCancelSchema, 'signer', (msg) => msg.signer),
  '/ibc.core.channel.v1.MsgPruneAcknowledgements': signedBy(MsgPruneAcknowledgementsSchema, 'signer', (msg) => msg.signer),
}

function openChannel({ events }: MessageScope, type: string, signer: string, channel: Channel | undefined): Effect[] {
  const event = findEvent(events, type)
  const channelId = event && attributeOf(event, 'channel_id')
  if (!event || !channelId) return []
  return [
    {
      kind: 'ibc-channel',
      channelId,
      portId: attributeOf(event, 'port_id') ?? '',
      connectionId: attributeOf(event, 'connection_id') ?? channel?.connectionHops[0] ?? '',
      counterpartyPortId: attributeOf(event, 'counterparty_port_id') ?? channel?.counterparty?.portId ?? '',
      counterpartyChannelId: attributeOf(event, 'counterparty_channel_id') ?? channel?.counterparty?.channelId ?? '',
      // The application may answer with another version than the message proposed.
      version: attributeOf(event, 'version') ?? channel?.version ?? '',
      ordered: channel?.ordering === Order.ORDERED,
      creator: decodeAccount(signer) ?? null,
    },
  ]
}
