import type { EffectOf, ZkIsmEffect } from '../../types/effects.ts'
import { int, orNull, text, time } from '../state/column.ts'
import type { State } from '../state/state.ts'
import { defineTable, type RowOf } from '../state/table-def.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { accountIdOrNull, nextNumber, numbered, txIdOf } from './row-ids.ts'

/** Security modules that trust a proof: their present state, how it moved, and the messages they let in. */
export function createZkIsmFamily(state: State): FamilyOf<ZkIsmEffect> {
  const isms = state.table(zkIsmTable)

  const create = (input: BlockInput, effect: EffectOf<'zkism'>) => {
    if (isms.get(effect.ism)) return
    isms.insert({
      ism_id: effect.ism,
      number: nextNumber(isms),
      creator_id: accountIdOrNull(input, effect.creator),
      state: effect.state,
      merkle_tree_address: effect.merkleTreeAddress,
      groth16_vkey: effect.groth16Vkey,
      state_transition_vkey: effect.stateTransitionVkey,
      state_membership_vkey: effect.stateMembershipVkey,
      tx_id: txIdOf(input, effect),
      height: input.height,
      time: input.time,
    })
  }

  const update = (input: BlockInput, effect: EffectOf<'zkism-update'>) => {
    const ism = isms.edit(effect.ism)
    if (ism) ism.state = effect.state
    input.rows.row('zkism_update', {
      ...numbered(input, 'zkism_update'),
      tx_id: txIdOf(input, effect),
      ism_id: effect.ism,
      signer_id: accountIdOrNull(input, effect.signer),
      state: effect.state,
    })
  }

  const submit = (input: BlockInput, effect: EffectOf<'zkism-messages'>) => {
    const signerId = accountIdOrNull(input, effect.signer)
    for (const messageId of effect.messageIds) {
      input.rows.row('zkism_message', {
        ...numbered(input, 'zkism_message'),
        tx_id: txIdOf(input, effect),
        ism_id: effect.ism,
        signer_id: signerId,
        state_root: effect.stateRoot,
        message_id: messageId,
      })
    }
  }

  return { effects: { zkism: create, 'zkism-update': update, 'zkism-messages': submit } }
}

export const zkIsmTable = defineTable({
  name: 'zkism',
  key: ['ism_id'],
  residence: 'all',
  columns: {
    ism_id: text,
    number: int,
    creator_id: orNull(int),
    state: text,
    merkle_tree_address: text,
    groth16_vkey: text,
    state_transition_vkey: text,
    state_membership_vkey: text,
    tx_id: orNull(int),
    height: int,
    time,
  },
})

export type ZkIsmRow = RowOf<typeof zkIsmTable>
