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

/** Reads the answer of `commit` for the block with this hash (upper-case hex). Another block is a fault of who gave it. */
export function parseSignedHeader(answer: Uint8Array, hash: string): SignedHeader {
  const signed = asObject(parseJsonObject(answer, 'commit').signed_header, 'signed_header')
  const header = parseHeader(asObject(signed.header, 'header'))
  const commit = parseCommit(asObject(signed.commit, 'commit'), 'commit')
  if (hashHeader(header) !== hash || commit.blockId.hash !== hash)
    throw new NodeFault('other_branch', 'the node has another block at this height', { hash: commit.blockId.hash })
  return { header, commit }
}

/** Whether the validators are those of the header; throws when they did not sign it. */
export function isSignedBy({ header, commit }: SignedHeader, validators: ValidatorSet): boolean {
  if (validators.hash !== header.validators_hash) return false
  verifyCommit(commit, header.chain_id, validators)
  return true
}
