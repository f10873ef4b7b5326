/** Zero-knowledge security modules. Byte values are hex or base64 text, depending on the module's version. */
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { fromBase64, fromHex, toHex } from '../../lib/encoding/bytes.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { typedTextOf, typedValueOf } from '../attributes.ts'
import type { MessagePart } from '../msg/handler.ts'
import type { EventTable } from './handler.ts'
import { idOf, toHyperlaneId } from './hyperlane.ts'

export const zkismEvents: EventTable = {
  'celestia.zkism.v1.EventCreateInterchainSecurityModule': (event, _at, { actor }) => {
    const ism = idOf(event, 'id')
    if (ism === undefined) return undefined
    return {
      kind: 'zkism',
      ism,
      creator: decodeAccount(typedTextOf(event, 'owner') || actor) ?? null,
      state: hexOf(event, 'state'),
      merkleTreeAddress: hexOf(event, 'merkle_tree_address'),
      groth16Vkey: hexOf(event, 'groth16_vkey'),
      stateTransitionVkey: hexOf(event, 'state_transition_vkey'),
      stateMembershipVkey: hexOf(event, 'state_membership_vkey'),
    }
  },
  'celestia.zkism.v1.EventUpdateInterchainSecurityModule': (event, _at, { actor, part }) => {
    const ism = ismOf(event, part)
    if (ism === undefined) return undefined
    return { kind: 'zkism-update', ism, signer: decodeAccount(actor) ?? null, state: hexOf(event, 'state') }
  },
  'celestia.zkism.v1.EventSubmitMessages': (event, _at, { actor, part }) => {
    const ism = ismOf(event, part)
    if (ism === undefined) return undefined
    const messages = typedValueOf(event, 'messages')
    const messageIds = Array.isArray(messages)
      ? messages.flatMap((id: unknown) => (typeof id === 'string' ? [toHexText(id)] : []))
      : []
    return {
      kind: 'zkism-messages',
      ism,
      signer: decodeAccount(actor) ?? null,
      stateRoot: hexOf(event, 'state_root'),
      messageIds,
    }
  },
}

const NO_ISM = '0'.repeat(64)

/** The first releases leave the id out of the event, or empty: the message has it. */
function ismOf(event: ChainEvent, part: MessagePart | undefined): string | undefined {
  const ism = idOf(event, 'id')
  return ism === undefined || ism === NO_ISM ? toHyperlaneId(part?.ism ?? '') : ism
}

function hexOf(event: ChainEvent, key: string): string {
  return toHexText(typedTextOf(event, key))
}

/** Text that could be both is hex: base64 of 32 bytes ends in `=`. */
function toHexText(text: string): string {
  const hex = fromHex(text.startsWith('0x') ? text.slice(2) : text)
  return toHex(hex ?? fromBase64(text) ?? new Uint8Array(0))
}
