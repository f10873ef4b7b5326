import { LegacyAminoPubKeySchema } from '../decode/gen/cosmos/crypto/multisig/types_pb.ts'
import { PubKeySchema } from '../decode/gen/cosmos/crypto/secp256k1/types_pb.ts'
import type { AnyMessage, DecodedTx } from '../decode/tx.ts'
import { decodeAccount, type MultisigMember, multisigAccount, secp256k1Account } from '../lib/encoding/bech32.ts'
import type { TxResult } from '../types/chain.ts'
import type { AddressHex } from '../types/facts.ts'
import { attributeOf } from './attributes.ts'
import { type MessagePart, readAs } from './msg/handler.ts'

/**
 * Signers of a tx: those that the messages ask for, in order of appearance, then the fee payer. A message that is not understood
 * asks for nobody we know, so the node's own list, the public keys or the sequence events stand in.
 */
export function listSigners(tx: DecodedTx, parts: readonly (MessagePart | undefined)[], result: TxResult): AddressHex[] {
  const signers = new Set<AddressHex>()
  let isComplete = tx.error === undefined
  for (const part of parts) {
    if (part) addAll(signers, part.signers)
    else isComplete = false
  }
  if (!isComplete) {
    if (result.signers.length > 0) addAll(signers, result.signers)
    else {
      const keys = tx.error === undefined ? tx.publicKeys.flatMap((key) => accountOfKey(key) ?? []) : []
      for (const account of keys.length > 0 ? keys : listSequenceAccounts(result)) signers.add(account)
    }
  }
  if (tx.error === undefined && tx.fee.payer !== '') addAll(signers, [tx.fee.payer])
  return [...signers]
}

function addAll(signers: Set<AddressHex>, texts: readonly string[]): void {
  for (const text of texts) {
    const account = decodeAccount(text)
    if (account !== undefined) signers.add(account)
  }
}

function accountOfKey(key: AnyMessage | undefined): AddressHex | undefined {
  if (key?.typeUrl === '/cosmos.crypto.multisig.LegacyAminoPubKey') return accountOfMultisig(key)
  const member = memberOf(key)
  return member?.kind === 'secp256k1' ? secp256k1Account(member.key) : undefined
}

/** The account is that of the multisig key itself; its members sign for it but are not signers of the tx. */
function accountOfMultisig(key: AnyMessage): AddressHex | undefined {
  const multisig = readAs(LegacyAminoPubKeySchema, key.value)
  const members = multisig?.publicKeys.map(memberOf)
  if (!multisig || !members || members.length === 0 || members.includes(undefined)) return undefined
  return multisigAccount(multisig.threshold, members as MultisigMember[])
}

function memberOf(key: AnyMessage | undefined): MultisigMember | undefined {
  const kind =
    key?.typeUrl === '/cosmos.crypto.secp256k1.PubKey'
      ? 'secp256k1'
      : key?.typeUrl === '/cosmos.crypto.ed25519.PubKey'
        ? 'ed25519'
        : undefined
  // Both key types have the same single field.
  const bytes = kind && readAs(PubKeySchema, key?.value)?.key
  return kind && bytes && bytes.length > 0 ? { kind, key: bytes } : undefined
}

/** `tx{acc_seq}` is `<address>/<sequence>`. */
function listSequenceAccounts({ events }: TxResult): AddressHex[] {
  return events.flatMap((event) => {
    const text = event.type === 'tx' ? attributeOf(event, 'acc_seq') : undefined
    return (text && decodeAccount(text.split('/', 1)[0]!)) ?? []
  })
}
