import type { ForwardingEffect } from '../../types/effects.ts'
import { copyText } from '../pack/copy-text.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { txIdOf } from './row-ids.ts'

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
        input.rows.row('forwarding', [
          input.height,
          input.firstId + input.rows.position('forwarding'),
          input.time,
          txIdOf(input, effect),
          markAccount(input, effect.address),
          effect.destDomain,
          copyText(effect.destRecipient),
          copyText(effect.token),
          effect.amount,
          copyText(effect.denom),
          copyText(effect.messageId),
        ]),
    },
  }
}
