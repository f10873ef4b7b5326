import { detectContentType } from '../decode/content-type.ts'
import type { TxShape } from '../decode/square/layout.ts'
import { countBlobShares, SHARE_SIZE } from '../decode/square/share-counts.ts'
import { SIGNER_COUNTED_VERSION, toTxShape } from '../decode/square/square-tx.ts'
import { type DecodedTx, decodeTx, type TxContent } from '../decode/tx.ts'
import { decodeAccount } from '../lib/encoding/bech32.ts'
import { sanitizeText, toHex } from '../lib/encoding/bytes.ts'
import type { Cause } from '../types/balance-change.ts'
import type { ChainEvent, TxResult } from '../types/chain.ts'
import type { BlobFacts, Dec, MessageFacts, NamespaceHex, TxFacts } from '../types/facts.ts'
import { MSG_UNKNOWN, messageTypeOf } from '../types/message-type.ts'
import { type CoinScope, causeOfMessage } from './cause.ts'
import { findContradiction } from './conservation.ts'
import { EVENT_HANDLERS } from './event/all.ts'
import { countAnteEvents, groupEvents } from './event-groups.ts'
import type { BlockFold } from './fold.ts'
import {
  LinkCollector,
  listEffects,
  listEventEffects,
  MessageReader,
  type ReadMessage,
  type TxScope,
  visitMessages,
} from './messages.ts'
import type { MessagePart } from './msg/handler.ts'
import { listSigners } from './signers.ts'

export type DerivedTx = { facts: TxFacts; shape: TxShape }

/** A tx while it is read: what was asked for, and what became of it. */
type TxRun = {
  position: number
  result: TxResult
  success: boolean
  reader: MessageReader
  messages: ReadMessage[]
  /** events of each message; none when the tx failed */
  groups: () => ChainEvent[][]
  /** index in the block of the first message */
  firstMessage: number
}

/** One tx into the fold. Nothing in it can make this fail: what is not understood is kept raw and counted. */
export function deriveTx(bytes: Uint8Array, result: TxResult, position: number, scope: TxScope, fold: BlockFold): DerivedTx {
  const tx = decodeTx(bytes)
  const run = startRun(tx, result, position, fold)
  const { success, messages, firstMessage } = run
  const parts = messages.map(({ part }) => part)
  const signers = listSigners(tx, parts, result)
  const feePayer = tx.error === undefined ? decodeAccount(tx.fee.payer) : undefined
  for (const signer of signers) fold.addresses.add(signer)
  if (feePayer !== undefined) fold.addresses.add(feePayer)

  const money = moneyOf(tx, result)
  const blobs = tx.error === undefined ? foldMessages(run, tx, money, scope, fold) : []
  if (tx.error !== undefined) fold.undecodableTxs++
  else {
    const reason = findContradiction(tx, { success, events: result.events, messages, groups: run.groups })
    if (reason !== undefined) fold.contradiction ??= `tx ${position}: ${reason}`
  }
  foldEvents(run, scope, fold)

  const facts: TxFacts = {
    position,
    hash: tx.hash,
    ...money,
    timeoutHeight: tx.error === undefined ? tx.timeoutHeight : 0n,
    memo: tx.error === undefined ? tx.memo : '',
    success,
    code: result.code,
    codespace: sanitizeText(result.codespace),
    error: success ? '' : sanitizeText(result.log),
    messageTypes: listTypes(fold.messages, firstMessage),
    messagesCount: messages.length,
    signers,
    ...(feePayer === undefined || feePayer === signers[0] ? {} : { feePayer }),
    events: result.events,
    blobs,
    ...(tx.error === undefined ? {} : { raw: bytes }),
  }
  return { facts, shape: toTxShape(bytes, tx, scope.versionApp) }
}

function startRun(tx: DecodedTx, result: TxResult, position: number, fold: BlockFold): TxRun {
  const success = result.code === 0
  const reader = new MessageReader(success)
  const messages = tx.error === undefined ? tx.messages.map((message) => reader.read(message)) : []
  let grouped: ChainEvent[][] | undefined
  // Most txs send coins or pay for blobs and never need to know which event belongs to which message.
  const groups = () => (grouped ??= groupEvents(success ? result.events : [], messages.length).groups)
  return { position, result, success, reader, messages, groups, firstMessage: fold.messages.length }
}

/** Messages with their links, blobs and namespaces; returns the blobs of the tx. */
function foldMessages(run: TxRun, tx: TxContent, money: Money, scope: TxScope, fold: BlockFold): BlobFacts[] {
  const blobs: BlobFacts[] = []
  for (const [i, message] of run.messages.entries()) {
    const facts = toMessageFacts(tx.messages[i]!.value, message, run.position, i)
    linkMessage(facts, message, () => run.groups()[i]!, fold)
    if (message.part?.blobs?.length) addBlobs(facts, message.part, tx, money, scope, blobs)
    for (const [namespace] of facts.namespaces) fold.namespaces.add(namespace)
    fold.messages.push(facts)
  }
  return blobs
}

type Money = Pick<TxFacts, 'gasWanted' | 'gasUsed' | 'feeUtia' | 'feeOther'>

function moneyOf(tx: DecodedTx, { gasWanted, gasUsed }: TxResult): Money {
  if (tx.error !== undefined) return { gasWanted, gasUsed, feeUtia: 0n, feeOther: '' }
  let feeUtia = 0n
  let feeOther = ''
  for (const { denom, amount } of tx.fee.coins) {
    if (denom === 'utia') feeUtia += amount
    else if (denom === 'tia') feeUtia += amount * 1_000_000n
    else feeOther += `${feeOther === '' ? '' : ','}${amount}${sanitizeText(denom)}`
  }
  // A tx that failed before the ante handler set its gas reports 0.
  return { gasWanted: gasWanted === 0n ? tx.fee.gasLimit : gasWanted, gasUsed, feeUtia, feeOther }
}

function toMessageFacts(value: Uint8Array, { typeUrl, part }: ReadMessage, tx: number, position: number): MessageFacts {
  const type = part ? messageTypeOf(typeUrl) : MSG_UNKNOWN
  return { tx, position, type, typeUrl: sanitizeText(typeUrl), value, links: [], validators: [], namespaces: [] }
}

function linkMessage(facts: MessageFacts, message: ReadMessage, events: () => readonly ChainEvent[], fold: BlockFold): void {
  const collector = new LinkCollector()
  visitMessages(message, events, ({ typeUrl, part }) => {
    if (part) collector.add(part)
    else fold.countUnknown(typeUrl)
  })
  facts.links = collector.links
  facts.validators = collector.listValidators()
  for (const [address] of facts.links) fold.addresses.add(address)
}

function addBlobs(
  facts: MessageFacts,
  part: MessagePart,
  tx: TxContent,
  money: Money,
  { versionApp }: TxScope,
  blobs: BlobFacts[],
): void {
  const paid = part.blobs ?? []
  const signer = decodeAccount(part.signers[0] ?? '')
  if (signer === undefined) return
  const fees = splitFee(money.feeUtia, money.gasUsed, paid, versionApp >= SIGNER_COUNTED_VERSION)
  const sizes = new Map<NamespaceHex, number>()
  for (const [i, { namespace: bytes, sizeBytes, commitment, shareVersion }] of paid.entries()) {
    const namespace = toHex(bytes)
    const index = blobs.length
    const data = tx.blobs[index]?.data
    const contentType = detectContentType(data ?? NO_BYTES)
    blobs.push({ namespace, signer, sizeBytes, commitment, shareVersion, contentType, index, fee: fees[i]! })
    sizes.set(namespace, (sizes.get(namespace) ?? 0) + sizeBytes)
  }
  facts.namespaces = [...sizes]
}

const NO_BYTES = new Uint8Array(0)

function foldEvents(
  { position, result, success, reader, messages, groups, firstMessage }: TxRun,
  scope: TxScope,
  fold: BlockFold,
): void {
  // Of a failed tx only what the ante handler did stands.
  const events = success ? result.events : result.events.slice(0, countAnteEvents(result.events))
  let changesState = false
  const coins: CoinScope = { events, tx: position, byMessage: causeByMessage(messages, groups) }
  for (const [at, event] of events.entries()) {
    if (fold.ledger.take(coins, at) || fold.allocation.takeReward(event)) continue
    if (EVENT_HANDLERS.has(event.type)) changesState = true
  }
  if (changesState) {
    const ante = events.slice(0, countAnteEvents(events))
    fold.emit(listEventEffects({ ...scope, events: ante, typeUrl: '', actor: '' }), position)
  }
  if (!success) return
  for (const [i, message] of messages.entries()) {
    if (!changesState && !message.part?.effects && message.inner.length === 0) continue
    fold.emit(listEffects(message, groups()[i]!, scope, reader), position, firstMessage + i)
  }
}

/** Which message an event belongs to is only looked up where the messages of a tx differ. */
function causeByMessage(messages: readonly ReadMessage[], groups: () => ChainEvent[][]): CoinScope['byMessage'] {
  let causes: Cause[] | undefined
  let places: Map<ChainEvent, number> | undefined
  return (event) => {
    causes ??= messages.map(causeOfMessage)
    const [first = 'transfer', ...others] = causes
    if (others.every((cause) => cause === first)) return first
    places ??= new Map(groups().flatMap((group, i) => group.map((each) => [each, i])))
    return causes[places.get(event) ?? 0]!
  }
}

function listTypes(messages: readonly MessageFacts[], from: number): number[] {
  if (messages.length === from) return [MSG_UNKNOWN]
  if (messages.length === from + 1) return [messages[from]!.type]
  const types = new Set<number>()
  for (let i = from; i < messages.length; i++) types.add(messages[i]!.type)
  return [...types].sort((a, b) => a - b)
}

/** Fixed by the protocol since app 3; governance never changed it before. */
const GAS_PER_BLOB_BYTE = 8

const ONE: Dec = 10n ** 18n

type SizedBlob = { sizeBytes: number; shareVersion: number }

/**
 * Splits the fee of a tx over its blobs: each carries the gas of its shares, the rest of the gas is the same for all. The last one
 * takes what rounding leaves, so that the parts sum up to the fee exactly. `countsSigner`: whether the chain charged for its room.
 */
export function splitFee(feeUtia: bigint, gasUsed: bigint, blobs: readonly SizedBlob[], countsSigner = true): Dec[] {
  const fee = feeUtia * ONE
  if (blobs.length === 1) return [fee]
  const gas = blobs.map(({ sizeBytes, shareVersion }) =>
    BigInt(countBlobShares(sizeBytes, countsSigner ? shareVersion : 0) * SHARE_SIZE * GAS_PER_BLOB_BYTE),
  )
  const blobGas = gas.reduce((sum, part) => sum + part, 0n)
  // A node that reports less gas than the shares alone cost leaves no rest to spread.
  const rest = gasUsed > blobGas ? gasUsed - blobGas : 0n
  const count = BigInt(blobs.length)
  let left = fee
  return gas.map((part, i) => {
    const share = i === gas.length - 1 ? left : (fee * (part * count + rest)) / ((blobGas + rest) * count)
    left -= share
    return share
  })
}
