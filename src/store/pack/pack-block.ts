/**
 * Turns the facts of a block into what the writer needs, on the worker thread: rows without ids are finished COPY text here, rows with
 * ids lack only their last columns, everything that refers to an address or namespace does so by its index in the block's lists.
 */
import { toMicroTime } from '../../lib/time.ts'
import type { BlockFacts } from '../../types/block-facts.ts'
import type { TxFacts } from '../../types/facts.ts'
import { typeUrlOf } from '../../types/message-type.ts'
import { APPEND_ONLY } from './append-only.ts'
import { packEvents } from './event-pack.ts'
import { firstId } from './id.ts'
import type { PackedBlob, PackedBlock, PackedTx } from './packed-block.ts'
import { UNSEALED_KINDS, type UnsealedKind } from './unsealed-kind.ts'

/** Takes events or a value; returns what the row has instead. */
type SetApart = (kind: UnsealedKind, id: number, bytes: Uint8Array) => Uint8Array | null

/** `forSegments`: events and values are put beside their rows, from where they move into a segment. */
export function packBlock(facts: BlockFacts, { forSegments = false } = {}): PackedBlock {
  const { header, stats } = facts
  let unsealedRows = ''
  const setApart: SetApart = (kind, id, bytes) => {
    if (!forSegments) return bytes
    unsealedRows += APPEND_ONLY.unsealed.line({ height: header.height, kind: UNSEALED_KINDS[kind], id, bytes })
    return null
  }
  const base = firstId(header.height)
  const addressIndex = new Map(facts.addresses.map((address, i) => [address, i]))
  const namespaceIndex = new Map(facts.namespaces.map((namespace, i) => [namespace, i]))
  const time = toMicroTime(header.time)

  const txs: PackedTx[] = []
  const blobs: PackedBlob[] = []
  let txTypeRows = ''
  let txHashRows = ''
  let txEventsCount = 0
  const txTypes = new Set<number>()
  const firstMessageOfTx = new Map<number, number>()
  facts.messages.forEach((message, i) => {
    if (!firstMessageOfTx.has(message.tx)) firstMessageOfTx.set(message.tx, i)
  })
  for (const tx of facts.txs) {
    const txId = base + tx.position
    const signers = tx.signers.map((signer) => addressIndex.get(signer)!)
    txs.push({
      row: txRow(tx, header.height, txId, time, setApart),
      signers,
      success: tx.success,
      gasWanted: tx.gasWanted,
      gasUsed: tx.gasUsed,
      feeUtia: tx.feeUtia,
      timeoutHeight: tx.timeoutHeight,
      eventsCount: tx.events.length,
      messagesCount: tx.messagesCount,
    })
    if (tx.hash !== '') txHashRows += APPEND_ONLY.tx_hash.line({ id: txId, height: header.height, hash: tx.hash })
    txEventsCount += tx.events.length
    for (const type of tx.messageTypes) {
      txTypes.add(type)
      txTypeRows += APPEND_ONLY.tx_message_type.line({ type, tx_id: txId })
    }
    for (const blob of tx.blobs) {
      // A BlobTx carries exactly one message.
      const message = firstMessageOfTx.get(tx.position) ?? 0
      const id = base + blobs.length
      blobs.push({
        row: APPEND_ONLY.blob.pack({
          height: header.height,
          id,
          time,
          tx_id: txId,
          message_id: base + message,
          position: blob.index,
          size: blob.sizeBytes,
          share_version: blob.shareVersion,
          commitment: blob.commitment,
          content_type: blob.contentType,
          fee: blob.fee,
        }),
        namespace: namespaceIndex.get(blob.namespace)!,
        signer: addressIndex.get(blob.signer)!,
        tx: tx.position,
        message,
        size: blob.sizeBytes,
        fee: blob.fee,
      })
    }
  }

  let messageRows = ''
  const addressLinks: number[] = []
  const namespaceLinks: number[] = []
  const validatorLinks: [string, number][] = []
  const typeCounts = new Map<number, number>()
  facts.messages.forEach((message, i) => {
    const canonical = message.typeUrl === typeUrlOf(message.type)
    messageRows += APPEND_ONLY.message.line({
      height: header.height,
      id: base + i,
      tx_id: base + message.tx,
      time,
      position: message.position,
      type: message.type,
      type_url: canonical ? null : message.typeUrl,
      size: message.value.length,
      value: setApart('message', base + i, message.value),
    })
    typeCounts.set(message.type, (typeCounts.get(message.type) ?? 0) + 1)
    for (const [address, role] of message.links) addressLinks.push(addressIndex.get(address)!, i, role, message.type)
    for (const [namespace, size] of message.namespaces) namespaceLinks.push(namespaceIndex.get(namespace)!, i, size)
    for (const operator of message.validators) validatorLinks.push([operator, i])
  })

  const types = [...typeCounts.keys()].sort(ascending)
  const row = blockRow(facts, [...txTypes].sort(ascending), facts.messages.length, txEventsCount, setApart)
  return {
    height: header.height,
    time,
    hash: header.hash,
    parentHash: header.parentHash,
    versionApp: header.versionApp,
    proposer: header.proposer,
    signedBy: header.signedBy,
    stats,
    gasPrices: facts.gasPrices,
    blockRow: row,
    txs,
    messageRows,
    unsealedRows,
    messagesCount: facts.messages.length,
    txEventsCount,
    txTypeRows,
    txHashRows,
    messageTypeCounts: types.map((type) => [type, typeCounts.get(type)!]),
    addresses: facts.addresses,
    namespaces: facts.namespaces,
    blobs,
    addressLinks,
    namespaceLinks,
    validatorLinks,
    coins: facts.coins.map(({ address, denom, delta, cause, tx = null }) => ({
      address: addressIndex.get(address)!,
      denom,
      delta,
      cause,
      tx,
    })),
    supply: facts.supply,
    rewards: facts.rewards,
    effects: facts.effects,
    unknownMessages: facts.unknownMessages,
    undecodableTxs: facts.undecodableTxs,
  }
}

const ascending = (a: number, b: number) => a - b

/** `types`: those of the txs, where one that could not be decoded has a type though it has no message. */
function blockRow(
  { header, stats, gasPrices, ods, events }: BlockFacts,
  types: number[],
  messages: number,
  txEvents: number,
  setApart: SetApart,
): string {
  return APPEND_ONLY.block.pack(
    Object.assign(
      {
        height: header.height,
        time: header.time,
        version_block: header.versionBlock,
        version_app: header.versionApp,
        hash: header.hash,
        parent_hash: header.parentHash,
        message_types: types,
        tx_count: stats.txCount,
        messages_count: messages,
        events_count: stats.eventsCount,
        tx_events_count: txEvents,
        blobs_count: stats.blobsCount,
        blobs_size: stats.blobsSize,
        gas_limit: stats.gasLimit,
        gas_used: stats.gasUsed,
        fee: stats.feeUtia,
        supply_change: stats.supplyChange,
        inflation_rate: stats.inflationRate,
        rewards: stats.rewards,
        commissions: stats.commissions,
        bytes_in_block: stats.bytesInBlock,
        square_size: stats.squareSize,
        gas_slow: gasPrices.slow,
        gas_median: gasPrices.median,
        gas_fast: gasPrices.fast,
        ods,
        events: setApart('block', 0, packEvents(events)),
      },
      header.hashes,
    ),
  )
}

function txRow(tx: TxFacts, height: number, id: number, time: string, setApart: SetApart): string {
  return APPEND_ONLY.tx.pack({
    height,
    id,
    time,
    hash: tx.hash,
    gas_wanted: tx.gasWanted,
    gas_used: tx.gasUsed,
    fee: tx.feeUtia,
    fee_other: tx.feeOther,
    timeout_height: tx.timeoutHeight,
    memo: tx.memo,
    success: tx.success,
    code: tx.code,
    codespace: tx.codespace,
    error: tx.error,
    messages_count: tx.messagesCount,
    events_count: tx.events.length,
    blobs_count: tx.blobs.length,
    message_types: tx.messageTypes,
    events: setApart('tx', id, packEvents(tx.events)),
    raw: tx.raw ?? null,
  })
}
