import { readIcaPacket } from '../decode/packet.ts'
import type { AnyMessage } from '../decode/tx.ts'
import type { ChainEvent } from '../types/chain.ts'
import { attributeOf, findEvent } from './attributes.ts'

/** Messages that a packet asks an interchain account to run; other packet types ask for nothing. */
export function readHostedMessages(data: Uint8Array): AnyMessage[] {
  const packet = readIcaPacket(data)
  return packet?.type === 'TYPE_EXECUTE_TX' ? packet.messages : []
}

/** The packet ran when the application said so and the acknowledgement is a result, not an error. */
export function hasExecuted(events: readonly ChainEvent[]): boolean {
  const packet = findEvent(events, 'ics27_packet')
  const acknowledgement = findEvent(events, 'write_acknowledgement')
  if (!acknowledgement || (packet && attributeOf(packet, 'success') === 'false')) return false
  const text =
    attributeOf(acknowledgement, 'packet_ack') ??
    Buffer.from(attributeOf(acknowledgement, 'packet_ack_hex') ?? '', 'hex').toString()
  return text.startsWith('{"result"')
}
