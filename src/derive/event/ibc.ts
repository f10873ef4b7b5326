/** Handshakes and closings tell everything in their events; what is made by a message (client, channel) is read there. */
import type { ChainEvent } from '../../types/chain.ts'
import type { Effect } from '../../types/effects.ts'
import { attributeOf } from '../attributes.ts'
import { parseAmount } from '../coins.ts'
import type { EventScope, EventTable } from './handler.ts'

export const ibcEvents: EventTable = {
  upgrade_client: (event) => {
    const clientId = attributeOf(event, 'client_id')
    const height = parseHeights(attributeOf(event, 'consensus_height'))
    return clientId && height ? { kind: 'ibc-client-update', clientId, ...height } : undefined
  },
  client_misbehaviour: (event) => {
    const clientId = attributeOf(event, 'client_id')
    // The chain marks a frozen client with this height, whatever the proof was about.
    return clientId ? { kind: 'ibc-client-freeze', clientId, revisionNumber: 0n, revisionHeight: 1n } : undefined
  },
  // The first name is that of IBC v6, the second that of v8.
  update_client_proposal: recoverClient,
  recover_client: recoverClient,
  connection_open_init: startConnection,
  connection_open_try: startConnection,
  connection_open_ack: openConnection,
  connection_open_confirm: openConnection,
  channel_open_ack: openChannel,
  channel_open_confirm: openChannel,
  channel_upgrade_open: (event) => {
    const channelId = attributeOf(event, 'channel_id')
    const version = attributeOf(event, 'version')
    if (!channelId || version === undefined) return undefined
    const ordered = attributeOf(event, 'ordering') === 'ORDER_ORDERED'
    return { kind: 'ibc-channel-upgrade', channelId, portId: attributeOf(event, 'port_id') ?? '', version, ordered }
  },
  channel_close_init: closeChannel,
  channel_close_confirm: closeChannel,
  // A timeout on an ordered channel closes it.
  channel_close: closeChannel,
}

function recoverClient(event: ChainEvent): Effect | undefined {
  const clientId = attributeOf(event, 'subject_client_id')
  const height = parseHeights(attributeOf(event, 'consensus_height'))
  return clientId ? { kind: 'ibc-client-recover', clientId, ...height } : undefined
}

function startConnection(event: ChainEvent): Effect | undefined {
  const connectionId = attributeOf(event, 'connection_id')
  if (!connectionId) return undefined
  return {
    kind: 'ibc-connection',
    connectionId,
    clientId: attributeOf(event, 'client_id') ?? '',
    counterpartyClientId: attributeOf(event, 'counterparty_client_id') ?? '',
    counterpartyConnectionId: attributeOf(event, 'counterparty_connection_id') ?? '',
  }
}

function openConnection(event: ChainEvent): Effect | undefined {
  const connectionId = attributeOf(event, 'connection_id')
  const counterpartyConnectionId = attributeOf(event, 'counterparty_connection_id') ?? ''
  return connectionId ? { kind: 'ibc-connection-open', connectionId, counterpartyConnectionId } : undefined
}

function openChannel(event: ChainEvent, _at: number, { part }: EventScope): Effect | undefined {
  const channelId = attributeOf(event, 'channel_id')
  const portId = attributeOf(event, 'port_id') ?? ''
  const counterpartyChannelId = attributeOf(event, 'counterparty_channel_id') ?? ''
  if (!channelId) return undefined
  const version = part?.channelVersion
  return { kind: 'ibc-channel-open', channelId, portId, counterpartyChannelId, ...(version === undefined ? {} : { version }) }
}

function closeChannel(event: ChainEvent): Effect | undefined {
  const channelId = attributeOf(event, 'channel_id')
  return channelId ? { kind: 'ibc-channel-close', channelId, portId: attributeOf(event, 'port_id') ?? '' } : undefined
}

/** The highest of `revision-height` texts joined by commas. */
export function parseHeights(text: string | undefined): { revisionNumber: bigint; revisionHeight: bigint } | undefined {
  let highest: { revisionNumber: bigint; revisionHeight: bigint } | undefined
  for (const height of text?.split(',') ?? []) {
    const dash = height.indexOf('-')
    const revisionNumber = parseAmount(height.slice(0, dash))
    const revisionHeight = parseAmount(height.slice(dash + 1))
    if (dash === -1 || revisionNumber === undefined || revisionHeight === undefined) continue
    const isHigher =
      highest === undefined ||
      revisionNumber > highest.revisionNumber ||
      (revisionNumber === highest.revisionNumber && revisionHeight > highest.revisionHeight)
    if (isHigher) highest = { revisionNumber, revisionHeight }
  }
  return highest
}
