import type { Message } from '@bufbuild/protobuf'
import { consensusAddress, type MultisigMember, multisigAccount, secp256k1Account } from '../lib/bech32.ts'
import { decodeAny } from './any.ts'
import type { LegacyAminoPubKey } from './gen/cosmos/crypto/multisig/types_pb.ts'
import type { AnyMessage } from './tx.ts'

const SECP256K1 = '/cosmos.crypto.secp256k1.PubKey'
const ED25519 = '/cosmos.crypto.ed25519.PubKey'
const MULTISIG = '/cosmos.crypto.multisig.LegacyAminoPubKey'

/** Account (lower-case hex) of the public key of a signer; undefined for key types that the chain does not use. */
export function accountOfKey(key: AnyMessage): string | undefined {
  if (key.typeUrl === MULTISIG) return readMultisig(key)
  const single = readSingleKey(key)
  if (!single) return undefined
  return single.kind === 'secp256k1' ? secp256k1Account(single.key) : consensusAddress(single.key).toLowerCase()
}

function readSingleKey({ typeUrl, value }: AnyMessage): MultisigMember | undefined {
  const kind = typeUrl === SECP256K1 ? 'secp256k1' : typeUrl === ED25519 ? 'ed25519' : undefined
  if (!kind) return undefined
  const message = decodeAny(typeUrl, value)?.message as (Message & { key: Uint8Array }) | undefined
  return message?.key.length === (kind === 'secp256k1' ? 33 : 32) ? { kind, key: message.key } : undefined
}

function readMultisig({ typeUrl, value }: AnyMessage): string | undefined {
  const message = decodeAny(typeUrl, value)?.message as LegacyAminoPubKey | undefined
  const members = message?.publicKeys.map(readSingleKey)
  if (!message || !members?.every((member) => member !== undefined)) return undefined
  return multisigAccount(message.threshold, members)
}
