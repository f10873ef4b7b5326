import { fromBinary } from '@bufbuild/protobuf'
import { fromBase64, sanitizeText } from '../lib/encoding/bytes.ts'
import { encodeJsonMessage } from './from-json.ts'
import { CosmosTxSchema } from './gen/ibc/applications/interchain_accounts/v1/types_pb.ts'
import type { AnyMessage } from './tx.ts'

/** Contents of an ICS-20 packet; the addresses may be those of other chains. */
export type TransferPacket = { denom: string; amount: string; sender: string; receiver: string; memo: string }

/** Instructions to an interchain account. */
export type IcaPacket = { type: string; memo: string; messages: AnyMessage[] }

/** Token transfer inside a packet of port `transfer`; undefined when the data is something else. */
export function readTransferPacket(data: Uint8Array): TransferPacket | undefined {
  const object = parseObject(data)
  if (!object) return undefined
  const { denom, amount, sender, receiver, memo = '' } = object
  const texts = [denom, amount, sender, receiver, memo]
  if (!texts.every((text) => typeof text === 'string')) return undefined
  const [d, a, s, r, m] = texts.map((text) => sanitizeText(text as string))
  return { denom: d!, amount: a!, sender: s!, receiver: r!, memo: m! }
}

const OPENING_BRACE = 0x7b

/** Messages inside a packet of port `icahost`; undefined when the data is something else. */
export function readIcaPacket(data: Uint8Array): IcaPacket | undefined {
  const object = parseObject(data)
  if (!object) return undefined
  const { type, data: text, memo = '' } = object
  if (typeof text !== 'string' || typeof memo !== 'string') return undefined
  const tx = fromBase64(text)
  // The channel's version says how the messages are written, but no protobuf message of theirs can begin with this byte.
  const messages = tx && (tx[0] === OPENING_BRACE ? readJsonMessages(tx) : readProtoMessages(tx))
  return messages && { type: sanitizeText(String(type === 1 ? 'TYPE_EXECUTE_TX' : type)), memo: sanitizeText(memo), messages }
}

function readProtoMessages(tx: Uint8Array): AnyMessage[] | undefined {
  try {
    return fromBinary(CosmosTxSchema, tx).messages.map(({ typeUrl, value }) => ({ typeUrl, value }))
  } catch {
    return undefined
  }
}

function readJsonMessages(tx: Uint8Array): AnyMessage[] | undefined {
  const messages = parseObject(tx)?.messages
  if (!Array.isArray(messages)) return undefined
  try {
    return messages.map((message) => encodeJsonMessage(message))
  } catch {
    return undefined
  }
}

function parseObject(data: Uint8Array): Record<string, unknown> | undefined {
  if (data[0] !== OPENING_BRACE) return undefined
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'))
  } catch {
    return undefined
  }
}
