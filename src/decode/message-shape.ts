import type { Message } from '@bufbuild/protobuf'
import type { Any } from '@bufbuild/protobuf/wkt'
import { fromUtf8, sanitizeText, toBase64 } from '../lib/encoding/bytes.ts'
import type { Json } from '../types/effects.ts'
import { decodeAny } from './any.ts'
import type { MsgForward } from './gen/celestia/forwarding/v1/types_pb.ts'
import type { Coin } from './gen/cosmos/base/v1beta1/types_pb.ts'
import type { MsgAcknowledgement, MsgRecvPacket } from './gen/ibc/core/channel/v1/types_pb.ts'
import { readIcaPacket, readTransferPacket } from './packet.ts'
import { type JsonObject, NATIVE_DIALECT, toJsonObject } from './to-json.ts'

/** Decodes the messages inside a message. */
export type Nesting = {
  /** whether the tx took effect */
  readonly success: boolean
  /** `data` of an inner message, without its type */
  data(typeUrl: string, value: Uint8Array): JsonObject | null
  /** the object of an Any, which says its type */
  any(any: Pick<Any, 'typeUrl' | 'value'>): Json
}

/** Where `data` of a message type differs from plain protobuf JSON. */
export type Shape = {
  /** how its Any fields are written */
  any?: (any: Any, nesting: Nesting) => Json
  /** what is changed in the finished object */
  finish?: (data: JsonObject, message: Message, nesting: Nesting) => void
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'cosmos.authz.v1beta1.MsgExec': { any: (any, nesting) => nesting.data(any.typeUrl, any.value) },
  'cosmos.staking.v1beta1.MsgCreateValidator': { any: writeConsensusKey },
  'celestia.forwarding.v1.MsgForward': { finish: moveOldFee },
  'ibc.core.client.v1.MsgCreateClient': { any: writeLightClient },
  'ibc.core.client.v1.MsgUpdateClient': { any: writeLightClient, finish: renameHeader },
  'ibc.core.channel.v1.MsgRecvPacket': {
    finish: (data, message, nesting) => {
      const { packet } = message as MsgRecvPacket
      writePacketData(data, packet?.destinationPort, packet?.data, nesting)
    },
  },
  'ibc.core.channel.v1.MsgAcknowledgement': {
    finish: (data, message, nesting) => {
      const { packet } = message as MsgAcknowledgement
      writePacketData(data, packet?.sourcePort, packet?.data, nesting)
    },
  },
}

export function shapeOf(typeName: string): Shape | undefined {
  return SHAPES[typeName]
}

const KEY_TYPES = new Map([
  ['/cosmos.crypto.ed25519.PubKey', 'ed25519'],
  ['/cosmos.crypto.secp256k1.PubKey', 'secp256k1'],
])

function writeConsensusKey(any: Any, nesting: Nesting): Json {
  const type = KEY_TYPES.get(any.typeUrl)
  const key = type && decodeAny(any.typeUrl, any.value)?.message
  return key ? { key: toBase64((key as Message & { key: Uint8Array }).key), type: type! } : nesting.any(any)
}

const HEADER = '/ibc.lightclients.tendermint.v1.Header'

/** Only what took effect is unpacked: a failed message may hold anything. */
function writeLightClient(any: Any, nesting: Nesting): Json {
  const known = nesting.success && any.typeUrl.startsWith('/ibc.lightclients.')
  const decoded = known ? decodeAny(any.typeUrl, any.value) : undefined
  if (!decoded) return nesting.any(any)
  return toJsonObject(decoded.schema, decoded.message, NATIVE_DIALECT, (inner) => nesting.any(inner))
}

function renameHeader(data: JsonObject, message: Message): void {
  const header = data.ClientMessage as JsonObject | null
  const { clientMessage } = message as Message & { clientMessage?: Any }
  // With `@type` it was not unpacked.
  if (clientMessage?.typeUrl !== HEADER || !header || '@type' in header) return
  data.Header = header
  delete data.ClientMessage
}

/** In app 7 the fee stood where the token is since: a coin begins with its first field's tag, an id with `0x`. */
function moveOldFee(data: JsonObject, message: Message): void {
  const { tokenId } = message as MsgForward
  if (!tokenId.startsWith('\n')) return
  const coin = decodeAny('/cosmos.base.v1beta1.Coin', fromUtf8(tokenId))?.message as Coin | undefined
  if (!coin) return
  data.TokenId = ''
  data.MaxIgpFee = { Denom: sanitizeText(coin.denom), Amount: sanitizeText(coin.amount) }
}

function writePacketData(data: JsonObject, port: string | undefined, bytes: Uint8Array | undefined, nesting: Nesting): void {
  const packet = data.Packet as JsonObject | null
  if (!packet || !bytes) return
  if (port === 'transfer') {
    const transfer = readTransferPacket(bytes)
    if (!transfer) return
    const { denom, amount, sender, receiver, memo } = transfer
    packet.Data = { Denom: denom, Amount: amount, Sender: sender, Receiver: receiver, Memo: memo }
  } else if (port === 'icahost') {
    const ica = readIcaPacket(bytes)
    if (ica) packet.Data = { Type: ica.type, Memo: ica.memo, Data: ica.messages.map((message) => nesting.any(message)) }
  }
}
