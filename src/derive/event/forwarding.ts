/** Transfer of a MsgForward. Before app 8 the event names no token: then only the account is known to be a forwarding one. */
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { typedTextOf } from '../attributes.ts'
import { parseAmount } from '../coins.ts'
import type { EventTable } from './handler.ts'
import { coinOf, idOf } from './hyperlane.ts'

export const forwardingEvents: EventTable = {
  'celestia.forwarding.v1.EventTokenForwarded': (event, _at, { part }) => {
    const address = decodeAccount(typedTextOf(event, 'forward_addr'))
    const token = idOf(event, 'token_id')
    const destination = part?.forwardTo
    if (address === undefined || token === undefined || !destination) return undefined
    const denom = typedTextOf(event, 'denom')
    const amount = parseAmount(typedTextOf(event, 'amount'))
    return {
      kind: 'forwarding',
      address,
      destDomain: destination.domain,
      destRecipient: destination.recipient,
      token,
      ...(amount === undefined ? coinOf(event, 'amount') : { amount, denom }),
      messageId: idOf(event, 'message_id') ?? '',
    }
  },
}
