import {
  asCount,
  asHex,
  asList,
  asObject,
  asSmallInteger,
  asText,
  type JsonObject,
  parseJsonObject,
  rejectField,
} from './json-fields.ts'
import { isTimestamp } from './timestamp.ts'
import type { RpcBlockId, RpcCommitSignature } from './wire.ts'

/** The votes that made a block final. */
export type Commit = { height: number; round: number; blockId: RpcBlockId; signatures: RpcCommitSignature[] }

/** Reads the answer of `commit`. Its header is left alone: the id that the votes are for is the hash of the right one. */
export function parseCommitAnswer(answer: Uint8Array): Commit {
  const signed = asObject(parseJsonObject(answer, 'commit').signed_header, 'signed_header')
  return parseCommit(asObject(signed.commit, 'commit'), 'commit')
}

export function parseCommit(commit: JsonObject, field: string): Commit {
  return {
    height: asCount(commit.height, `${field}.height`),
    round: asSmallInteger(commit.round ?? 0, `${field}.round`),
    blockId: parseBlockId(commit.block_id, `${field}.block_id`),
    signatures: asList(commit.signatures, `${field}.signatures`).map(parseSignature),
  }
}

export function parseBlockId(value: unknown, field: string): RpcBlockId {
  const id = asObject(value, field)
  const parts = asObject(id.parts, `${field}.parts`)
  return {
    hash: asHex(id.hash, 32, `${field}.hash`),
    parts: { total: asSmallInteger(parts.total, `${field}.parts.total`), hash: asHex(parts.hash, 32, `${field}.parts.hash`) },
  }
}

function parseSignature(value: unknown): RpcCommitSignature {
  const entry = asObject(value, 'last_commit.signatures')
  return {
    block_id_flag: asSmallInteger(entry.block_id_flag, 'signatures.block_id_flag'),
    validator_address: asHex(entry.validator_address, 20, 'signatures.validator_address'),
    timestamp: asTime(entry.timestamp, 'signatures.timestamp'),
    signature: entry.signature === null ? null : asText(entry.signature, 'signatures.signature'),
  }
}

export function asTime(value: unknown, field: string): string {
  if (typeof value !== 'string' || !isTimestamp(value)) rejectField(field, 'a UTC time')
  return value
}
