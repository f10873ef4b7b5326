import { type Digest, foldLeaves, hashLeaf } from '../lib/encoding/merkle.ts'
import { ProtoWriter } from '../lib/encoding/proto-writer.ts'
import { writeTimestamp } from './timestamp.ts'
import type { RpcCommitSignature } from './wire.ts'

const writer = new ProtoWriter()

/** `last_commit_hash` of the header that carries this commit: Merkle root over its signatures, absent ones included. */
export function hashCommit(signatures: readonly RpcCommitSignature[]): string {
  return foldLeaves(signatures.map(hashSignature))
}

function hashSignature(entry: RpcCommitSignature): Digest {
  writer.reset().integer(1, entry.block_id_flag).text(2, entry.validator_address, 'hex')
  writer.message(3, (time) => writeTimestamp(time, entry.timestamp)).text(4, entry.signature ?? '', 'base64')
  return hashLeaf(writer.view)
}
