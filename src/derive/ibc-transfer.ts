import type { Packet } from '../decode/gen/ibc/core/channel/v1/types_pb.ts'
import type { TransferPacket } from '../decode/packet.ts'
import { decodeAddress } from '../lib/encoding/bech32.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { Effect } from '../types/effects.ts'
import { attributeOf, findEvent } from './attributes.ts'
import { parseAmount } from './coins.ts'
import { fromUnixNanos } from './time.ts'

/** Nothing when the packet was delivered before (no packet event) or the application refused it. */
export function transferEffects(
  direction: 'in' | 'out',
  packet: Packet,
  transfer: TransferPacket,
  events: readonly ChainEvent[],
): Effect[] {
  const delivered = findEvent(events, direction === 'in' ? 'recv_packet' : 'acknowledge_packet')
  const amount = parseAmount(transfer.amount)
  if (!delivered || amount === undefined || !isAccepted(direction, events)) return []
  return [
    {
      kind: 'ibc-transfer',
      direction,
      channelId: direction === 'in' ? packet.destinationChannel : packet.sourceChannel,
      portId: direction === 'in' ? packet.destinationPort : packet.sourcePort,
      connectionId: attributeOf(delivered, 'packet_connection') ?? attributeOf(delivered, 'connection_id') ?? '',
      amount,
      denom: baseDenom(transfer.denom),
      memo: transfer.memo,
      sender: ownAccount(transfer.sender),
      senderText: transfer.sender,
      receiver: ownAccount(transfer.receiver),
      receiverText: transfer.receiver,
      timeout: fromUnixNanos(packet.timeoutTimestamp) ?? null,
      timeoutHeight: packet.timeoutHeight?.revisionHeight ?? 0n,
      sequence: packet.sequence,
    },
  ]
}

/** The acknowledging side emits two events of this type; a refusal puts `error` into one of them. */
function isAccepted(direction: 'in' | 'out', events: readonly ChainEvent[]): boolean {
  let seen = false
  for (const event of events) {
    if (event.type !== 'fungible_token_packet') continue
    seen = true
    if (attributeOf(event, 'error')) return false
    if (direction === 'in' && attributeOf(event, 'success') === 'false') return false
  }
  return seen
}

/** `transfer/channel-2/utia` went through one channel; longer paths stay as they are. */
function baseDenom(denom: string): string {
  const parts = denom.split('/')
  return parts.length === 3 ? parts[2]! : denom
}

function ownAccount(text: string): string | null {
  const address = decodeAddress(text)
  return address?.prefix === 'celestia' ? address.hex : null
}
