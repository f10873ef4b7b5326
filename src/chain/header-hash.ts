import { HEADER_HASHES } from '../client/proof/header-hashes.ts'
import { type Digest, foldLeaves, hashLeaf } from '../lib/encoding/merkle.ts'
import { ProtoWriter } from '../lib/encoding/proto-writer.ts'
import { writeTimestamp } from './timestamp.ts'
import type { RpcHeader } from './wire.ts'

/**
 * The block hash: Merkle root over the fourteen header fields, each in its protobuf form. A scalar is wrapped in a message with
 * field 1, so that an empty one has no bytes at all; the parts of the parent id are written even when empty (first block).
 */
export function hashHeader(header: RpcHeader): string {
  const { version, last_block_id: parent } = header
  leaves[0] = hashLeaf(writer.reset().integer(1, Number(version.block)).integer(2, Number(version.app)).view)
  leaves[1] = hashLeaf(writer.reset().text(1, header.chain_id, 'utf8').view)
  leaves[2] = hashLeaf(writer.reset().integer(1, Number(header.height)).view)
  writeTimestamp(writer.reset(), header.time)
  leaves[3] = hashLeaf(writer.view)
  writer.reset().text(1, parent.hash, 'hex')
  writer.message(2, (parts) => parts.integer(1, parent.parts.total).text(2, parent.parts.hash, 'hex'))
  leaves[4] = hashLeaf(writer.view)
  for (let i = 0; i < HEADER_HASHES.length; i++) {
    leaves[5 + i] = hashLeaf(writer.reset().text(1, header[HEADER_HASHES[i]!], 'hex').view)
  }
  leaves[5 + HEADER_HASHES.length] = hashLeaf(writer.reset().text(1, header.proposer_address, 'hex').view)
  return foldLeaves(leaves)
}

const writer = new ProtoWriter()
const leaves: Digest[] = []
