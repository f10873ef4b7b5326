import type { ForwardingEffect } from '../../types/effects.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { numbered, txIdOf } from './row-ids.ts'

/** Tokens passed on by forwarding accounts, and the mark on the accounts themselves. */
export function createForwardingFamily(state: State): FamilyOf<ForwardingEffect> {
  const markAccount = (input: BlockInput, address: string): number => {
    const id = input.accountId(address)
    if (state.address.get(address)?.is_forwarding === false) state.address.edit(address)!.is_forwarding = true
    return id
  }

  return {
    effects: {
      'forwarding-address': (input, { address }) => {
        markAccount(input, address)
      },
      forwarding: (input, effect) =>
        input.rows.row('forwarding', {
          ...numbered(input, 'forwarding'),
          tx_id: txIdOf(input, effect),
          address_id: markAccount(input, effect.address),
          dest_domain: effect.destDomain,
          dest_recipient: effect.destRecipient,
          token_id: effect.token,
          amount: effect.amount,
          denom: effect.denom,
          message_id: effect.messageId,
        }),
    },
  }
}
