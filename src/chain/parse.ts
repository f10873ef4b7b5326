import { mapHeaderHashes } from '../client/proof/header-hashes.ts'
import { viewOf } from '../lib/encoding/bytes.ts'
import { NodeFault } from '../lib/errors.ts'
import type { BlockEvidence, ChainBlock, CommitSignature } from '../types/chain.ts'
import { hashCommit } from './commit-hash.ts'
import { cutTxs, TXS_CUT } from './cut-txs.ts'
import { hashHeader } from './header-hash.ts'
import {
  asCount,
  asHex,
  asList,
  asObject,
  asText,
  countBase64Bytes,
  type JsonObject,
  parseJsonObject,
  rejectField,
} from './json-fields.ts'
import { HASH_OF_NOTHING } from './link.ts'
import { asTime, parseBlockId, parseCommit } from './parse-commit.ts'
import { parseResults } from './parse-results.ts'
import type { RawBlock } from './source.ts'
import type { RpcCommitSignature, RpcHeader } from './wire.ts'

/** `resultsHash` is what `last_results_hash` of the next header must be; the bytes it is made of are not kept. */
export type ParsedBlock = ChainBlock & { resultsHash: string }

/**
 * One height as the node gave it, checked as far as one height alone can be: types, height, chain id, counts, and the hashes
 * that the header seals (its own, the commit's). Everything wrong is a NodeFault. Pure: it runs on worker threads.
 */
export function parseRawBlock(raw: RawBlock, expect: { chainId: string }): ParsedBlock {
  try {
    return parseBlock(raw, expect.chainId)
  } catch (error) {
    if (!(error instanceof NodeFault)) throw error
    throw new NodeFault(error.code, error.message, { ...error.facts, height: raw.height, origin: raw.origin }, error.cause)
  }
}

function parseBlock(raw: RawBlock, chainId: string): ParsedBlock {
  const { answer, cut } = parseAnswer(raw.block)
  // A node that lost a height answers with an empty id and no block.
  if (answer.block === null) throw new NodeFault('missing_block', 'the node has no block at this height')
  const block = asObject(answer.block, 'block')
  const header = parseHeader(asObject(block.header, 'header'))
  const height = Number(header.height)
  if (height !== raw.height) throw new NodeFault('wrong_height', `the block is of height ${height}`, { givenHeight: height })
  if (header.chain_id !== chainId) {
    throw new NodeFault('wrong_chain', `the block is of chain ${header.chain_id}, not ${chainId}`, {
      givenChainId: header.chain_id,
    })
  }
  const hash = asHex(asObject(answer.block_id, 'block_id').hash, 32, 'block_id.hash')
  const headerHash = hashHeader(header)
  if (headerHash !== hash)
    throw new NodeFault('header_hash', 'the header does not have the hash that the node gives', { hash, headerHash })

  const { txs, squareSize } = parseData(asObject(block.data, 'data'), cut)
  const lastCommit = parseLastCommit(block.last_commit, header)
  const evidence = parseEvidence(asObject(block.evidence ?? {}, 'evidence').evidence, { height, time: header.time })
  if (evidence.length === 0 && !isHashOfNothing(header.evidence_hash)) {
    throw new NodeFault('evidence_hash', 'the header seals evidence that the block does not have')
  }
  const results = parseResults(parseJsonObject(raw.results, 'results'), height, txs.length)

  const parsed: ParsedBlock = {
    height,
    chainId: header.chain_id,
    time: header.time,
    versionBlock: Number(header.version.block),
    versionApp: Number(header.version.app),
    hash,
    parentHash: header.last_block_id.hash,
    hashes: mapHeaderHashes((name) => header[name]),
    proposerAddress: header.proposer_address,
    txs,
    squareSize,
    lastCommit,
    evidence,
    txResults: results.txResults,
    events: results.events,
    beginEventsCount: results.beginEventsCount,
    validatorUpdates: results.validatorUpdates,
    resultsHash: results.resultsHash,
  }
  if (results.consensusParamUpdates !== undefined) parsed.consensusParamUpdates = results.consensusParamUpdates
  return parsed
}

/** `cut` are the txs in base64, where they were not parsed with the rest. */
function parseAnswer(bytes: Uint8Array): { answer: JsonObject; cut?: Buffer[] } {
  const parts = cutTxs(viewOf(bytes))
  if (parts) {
    const answer = parseJsonObject(parts.text, 'block')
    const { block } = answer as { block?: { data?: JsonObject } | null }
    if (block?.data?.txs === TXS_CUT) return { answer, cut: parts.txs }
  }
  return { answer: parseJsonObject(bytes, 'block') }
}

export function parseHeader(header: JsonObject): RpcHeader {
  const version = asObject(header.version, 'header.version')
  return {
    version: {
      block: asCountText(version.block, 'header.version.block'),
      app: asCountText(version.app ?? '0', 'header.version.app'),
    },
    chain_id: asText(header.chain_id, 'header.chain_id'),
    height: asCountText(header.height, 'header.height'),
    time: asTime(header.time, 'header.time'),
    last_block_id: parseBlockId(header.last_block_id, 'header.last_block_id'),
    proposer_address: asHex(header.proposer_address, 20, 'header.proposer_address'),
    ...mapHeaderHashes((name) => asHex(header[name], 32, `header.${name}`)),
  }
}

/** Four times what any app version allows. */
const MAX_SQUARE_SIZE = 2048

/** All txs are decoded into one piece of memory: thousands of small buffers cost more than their bytes. */
function parseData(data: JsonObject, cut?: Buffer[]): { txs: Uint8Array[]; squareSize: number } {
  const texts = cut ?? asList(data.txs, 'data.txs').map((text) => asText(text, 'data.txs'))
  let total = 0
  const sizes = texts.map((text) => {
    const size = countBase64Bytes(text, 'data.txs')
    total += size
    return size
  })
  const memory = Buffer.from(new ArrayBuffer(total))
  let at = 0
  const txs = texts.map((text, i) => {
    const size = sizes[i]!
    // The decoder skips what is not base64, and then comes up short.
    if (decodeBase64(text, memory, at) !== size) rejectField('data.txs', 'base64')
    at += size
    return new Uint8Array(memory.buffer, at - size, size)
  })
  const squareSize = asCount(data.square_size, 'data.square_size')
  // No hash seals it, so any number could stand here; the chain's own limit is 512.
  if (squareSize > MAX_SQUARE_SIZE) rejectField('data.square_size', `at most ${MAX_SQUARE_SIZE}`)
  return { txs, squareSize }
}

/** A multiple of four. Texts of megabytes would pile up, one for each tx, until the collector looks at old objects. */
const PIECE = 64 * 1024

/** Returns how many bytes it wrote to `memory`. */
function decodeBase64(text: string | Buffer, memory: Buffer, start: number): number {
  if (typeof text === 'string') return memory.write(text, start, 'base64')
  let at = start
  for (let from = 0; from < text.length; from += PIECE)
    at += memory.write(text.toString('latin1', from, from + PIECE), at, 'base64')
  return at - start
}

/** The commit is sealed by the header twice: its signatures by hash, the block it commits by name. */
function parseLastCommit(value: unknown, header: RpcHeader): ChainBlock['lastCommit'] {
  const isFirst = header.last_block_id.hash === ''
  if (value === null && isFirst) return { height: 0, signatures: [] }
  const commit = asObject(value, 'last_commit')
  const { height, signatures, blockId } = parseCommit(commit, 'last_commit')
  if (!isFirst && height !== Number(header.height) - 1) rejectField('last_commit.height', 'the height before')
  const isEmpty = signatures.length === 0 && isHashOfNothing(header.last_commit_hash)
  if (blockId.hash !== header.last_block_id.hash || (!isEmpty && hashCommit(signatures) !== header.last_commit_hash)) {
    throw new NodeFault('commit_hash', 'the last commit is not the one that the header seals')
  }
  return { height, signatures: signatures.map(toCommitSignature) }
}

function toCommitSignature(entry: RpcCommitSignature): CommitSignature {
  return { flag: entry.block_id_flag, validatorAddress: entry.validator_address, timestamp: entry.timestamp }
}

function asCountText(value: unknown, field: string): string {
  return String(asCount(value, field))
}

function isHashOfNothing(hash: string): boolean {
  return hash === '' || hash === HASH_OF_NOTHING
}

/** Evidence of misbehaviour in a block, one entry per accused validator. A kind that is not known names nobody. */
function parseEvidence(value: unknown, block: { height: number; time: string }): BlockEvidence[] {
  return asList(value, 'evidence').flatMap((item) => {
    const entry = asObject(item, 'evidence')
    const type = asText(entry.type, 'evidence.type')
    if (type === 'tendermint/DuplicateVoteEvidence') return [parseDuplicateVote(asObject(entry.value, 'evidence.value'))]
    if (type === 'tendermint/LightClientAttackEvidence') return parseLightClientAttack(asObject(entry.value, 'evidence.value'))
    return [{ kind: type, validatorAddress: '', height: block.height, time: block.time }]
  })
}

function parseDuplicateVote(value: JsonObject): BlockEvidence {
  const vote = asObject(value.vote_a, 'evidence.vote_a')
  return {
    kind: 'duplicate_vote',
    validatorAddress: asHex(vote.validator_address, 20, 'evidence.vote_a.validator_address'),
    height: asCount(vote.height, 'evidence.vote_a.height'),
    time: asText(value.Timestamp, 'evidence.Timestamp'),
  }
}

function parseLightClientAttack(value: JsonObject): BlockEvidence[] {
  return asList(value.ByzantineValidators, 'evidence.ByzantineValidators').map((validator) => ({
    kind: 'light_client_attack',
    validatorAddress: asHex(asObject(validator, 'evidence.validator').address, 20, 'evidence.validator.address'),
    height: asCount(value.CommonHeight, 'evidence.CommonHeight'),
    time: asText(value.Timestamp, 'evidence.Timestamp'),
  }))
}
