import { NodeFault } from '../lib/errors.ts'
import { hashHeader } from './header-hash.ts'
import { asObject, parseJsonObject } from './json-fields.ts'
import { parseHeader } from './parse.ts'
import { type Commit, parseCommit } from './parse-commit.ts'
import type { ValidatorSet } from './validator-set.ts'
import { verifyCommit } from './verify-commit.ts'
import type { RpcHeader } from './wire.ts'

/** A header and the votes that made it final: what a light client needs beside the validators. */
export type SignedHeader = { header: RpcHeader; commit: Commit }

/** Reads the answer of `commit`. Its votes have to be for its own header. */
export function parseSignedHeader(answer: Uint8Array): SignedHeader {
  const signed = asObject(parseJsonObject(answer, 'commit').signed_header, 'signed_header')
  const header = parseHeader(asObject(signed.header, 'header'))
  const commit = parseCommit(asObject(signed.commit, 'commit'), 'commit')
  if (hashHeader(header) !== commit.blockId.hash)
    throw new NodeFault('header_hash', 'the votes are for another header than the one beside them', { hash: commit.blockId.hash })
  return { header, commit }
}

/** Signed header of the block with this hash (upper-case hex). Another block is a fault of the node. */
export function parseSignedHeaderOf(answer: Uint8Array, hash: string): SignedHeader {
  const signed = parseSignedHeader(answer)
  if (signed.commit.blockId.hash !== hash)
    throw new NodeFault('other_branch', 'the node has another block at this height', { hash: signed.commit.blockId.hash })
  return signed
}

/** Whether the validators are those of the header; throws when they did not sign it. */
export function isSignedBy({ header, commit }: SignedHeader, validators: ValidatorSet): boolean {
  if (validators.hash !== header.validators_hash) return false
  verifyCommit(commit, header.chain_id, validators)
  return true
}
