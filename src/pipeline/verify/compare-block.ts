import { mapHeaderHashes } from '../../client/proof/header-hashes.ts'
import { toMicroTime } from '../../lib/time.ts'
import { type BlockRecord, digestOf, type StoredBlock } from '../../store/audit/stored-block.ts'
import { cappedInt8 } from '../../store/pack/copy-column.ts'
import type { BlockFacts } from '../../types/block-facts.ts'
import type { TxFacts } from '../../types/facts.ts'
import { typeUrlOf } from '../../types/message-type.ts'

type Row = Record<string, unknown>

/** Record of a block that the index must hold. */
export function toRecord({ header, stats, ods, txs, messages }: BlockFacts): BlockRecord {
  return {
    block: {
      time: toMicroTime(header.time),
      version_block: header.versionBlock,
      version_app: header.versionApp,
      hash: header.hash.toLowerCase(),
      parent_hash: header.parentHash.toLowerCase(),
      ...mapHeaderHashes((name) => header.hashes[name].toLowerCase()),
      proposer: header.proposer.toLowerCase(),
      tx_count: stats.txCount,
      messages_count: messages.length,
      blobs_count: stats.blobsCount,
      blobs_size: stats.blobsSize,
      gas_limit: String(cappedInt8(stats.gasLimit)),
      gas_used: String(cappedInt8(stats.gasUsed)),
      fee: String(stats.feeUtia),
      bytes_in_block: stats.bytesInBlock,
      square_size: stats.squareSize,
      ods: Buffer.from(ods).toString('hex'),
    },
    txs: txs.map(toTx),
    messages: messages.map(({ tx, position, type, typeUrl, value }) => ({
      tx,
      position,
      type,
      type_url: typeUrl === typeUrlOf(type) ? null : typeUrl,
      size: value.length,
      value: digestOf(value),
    })),
    blobs: txs.flatMap((tx) =>
      tx.blobs.map((blob) => ({
        tx: tx.position,
        position: blob.index,
        size: blob.sizeBytes,
        share_version: blob.shareVersion,
        commitment: Buffer.from(blob.commitment).toString('hex'),
        content_type: blob.contentType,
        namespace: blob.namespace,
        signer: blob.signer,
      })),
    ),
    signedBy: header.signedBy.map((address) => address.toLowerCase()),
  }
}

function toTx(tx: TxFacts): Row {
  return {
    position: tx.position,
    hash: tx.hash,
    listed_hash: tx.hash,
    gas_wanted: String(cappedInt8(tx.gasWanted)),
    gas_used: String(cappedInt8(tx.gasUsed)),
    fee: String(tx.feeUtia),
    fee_other: tx.feeOther,
    timeout_height: String(tx.timeoutHeight),
    memo: tx.memo,
    success: tx.success,
    code: tx.code,
    codespace: tx.codespace,
    messages_count: tx.messagesCount,
    blobs_count: tx.blobs.length,
    message_types: tx.messageTypes.join(','),
    signers: tx.signers.join(','),
  }
}

/** One line for each thing that differs. */
export function compareBlock(height: number, stored: StoredBlock, derived: BlockRecord): string[] {
  const lines = compareRows(`block ${height}`, stored.block, derived.block)
  for (const [list, name] of [
    ['txs', 'tx'],
    ['messages', 'message'],
    ['blobs', 'blob'],
  ] as const) {
    if (stored[list].length !== derived[list].length)
      lines.push(`block ${height} has ${derived[list].length} ${list}, the index ${stored[list].length}`)
    else
      for (const [i, row] of stored[list].entries())
        lines.push(...compareRows(`block ${height}, ${name} ${i}`, row, derived[list][i]!))
  }
  const [told, signed] = [new Set(stored.signedBy), new Set(derived.signedBy)]
  const wrong = [
    ...stored.signedBy.filter((address) => !signed.has(address)),
    ...stored.knownValidators.filter((address) => signed.has(address) && !told.has(address)),
  ]
  if (wrong.length > 0) lines.push(`block ${height}: the votes of ${wrong.slice(0, 3).join(', ')} are told wrong`)
  return lines
}

const LONGEST = 80

function compareRows(what: string, stored: Row, derived: Row): string[] {
  return Object.keys(derived)
    .filter((column) => column in stored && stored[column] !== derived[column])
    .map((column) => `${what}: ${column} is ${show(derived[column])}, the index says ${show(stored[column])}`)
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
