import { NodeFault, Transient } from '../../lib/errors.ts'
import { asCount, asInt64, asList, asObject, asText, parseJsonObject, rejectField } from '../json-fields.ts'
import type { RawBlock, SourceHead } from '../source.ts'
import type { ConsensusValidator } from '../validator-set.ts'
import { type RpcAnswer, type RpcCall, readAnswers, writeRequest } from './envelope.ts'
import { rejectRpc, rejectStatus } from './failure.ts'
import type { HttpExchange, SendHttp } from './transport.ts'

/** Calls to one node. Answers are checked for form only; errors are those of `toFailure`. */
export type NodeClient = { readonly label: string; readonly url: URL; readonly send: SendHttp }

export type ExchangeOptions = Pick<HttpExchange, 'signal' | 'onBytes'>

const MIB = 1024 * 1024
/** A full block with its results fits; nothing a node can send makes us hold more. */
const MAX_ANSWER_BYTES = 256 * MIB
/** Several heights in one answer are a convenience for small blocks. */
const MAX_BATCH_BYTES = 64 * MIB

export async function fetchHead(node: NodeClient, options: ExchangeOptions): Promise<SourceHead> {
  const status = parseJsonObject(await fetchOne(node, { method: 'status', params: {} }, MIB, options), 'status')
  const info = asObject(status.node_info, 'status.node_info')
  const sync = asObject(status.sync_info, 'status.sync_info')
  return {
    chainId: asText(info.network, 'status.node_info.network'),
    height: asCount(sync.latest_block_height, 'status.sync_info.latest_block_height'),
    time: asText(sync.latest_block_time, 'status.sync_info.latest_block_time'),
    earliest: asCount(sync.earliest_block_height ?? '1', 'status.sync_info.earliest_block_height'),
    catchingUp: sync.catching_up === true,
    ...(typeof info.version === 'string' && { nodeVersion: info.version }),
  }
}

/** Blocks and results of `count` heights in one request, which has twice as many calls. */
export async function fetchBatch(node: NodeClient, from: number, count: number, options: ExchangeOptions): Promise<RawBlock[]> {
  const calls: RpcCall[] = []
  for (let height = from; height < from + count; height++) calls.push(...toCalls(height))
  const answers = await fetchAll(node, calls, count === 1 ? MAX_ANSWER_BYTES : MAX_BATCH_BYTES, options)
  return Array.from({ length: count }, (_, i) => {
    return toRawBlock(node, from + i, takeResult(answers[2 * i]!), takeResult(answers[2 * i + 1]!))
  })
}

/** One height from a node that takes no batches. */
export async function fetchSingle(node: NodeClient, height: number, options: ExchangeOptions): Promise<RawBlock> {
  const [blockCall, resultsCall] = toCalls(height)
  const block = await fetchOne(node, blockCall, MAX_ANSWER_BYTES, options)
  const results = await fetchOne(node, resultsCall, MAX_ANSWER_BYTES, options)
  return toRawBlock(node, height, block, results)
}

/** Answer of `block_results` alone. */
export function fetchResults(node: NodeClient, height: number, options: ExchangeOptions): Promise<Uint8Array> {
  return fetchOne(node, toCalls(height)[1], MAX_ANSWER_BYTES, options)
}

/** Answer of `commit`: the votes for a block, also for the newest one. */
export function fetchCommit(node: NodeClient, height: number, options: ExchangeOptions): Promise<Uint8Array> {
  return fetchOne(node, { method: 'commit', params: { height: String(height) } }, MIB, options)
}

/** The most that a node puts on a page. */
const VALIDATORS_PER_PAGE = 100
/** No chain has more; a node that tells of more pages without end is not followed. */
const MAX_VALIDATORS = 10_000

/** Everybody who signs `height`, in the node's own words. */
export async function fetchValidators(node: NodeClient, height: number, options: ExchangeOptions): Promise<ConsensusValidator[]> {
  const all: ConsensusValidator[] = []
  for (let page = 1; ; page++) {
    const params = { height: String(height), page: String(page), per_page: String(VALIDATORS_PER_PAGE) }
    const { validators, total } = parseValidatorsPage(await fetchOne(node, { method: 'validators', params }, MIB, options))
    all.push(...validators)
    if (all.length >= total || validators.length === 0) return all
    if (total > MAX_VALIDATORS) throw new NodeFault('bad_field', `the node tells of ${total} validators`)
  }
}

/** The document in chunks, or whole from nodes that have no chunks. */
export async function fetchGenesis(node: NodeClient, options: ExchangeOptions): Promise<Uint8Array> {
  const first = await fetchAnswer(node, toChunkCall(0), options)
  if ('error' in first) return fetchWholeGenesis(node, options)
  const parts: Buffer[] = []
  let total = 1
  for (let chunk = 0; chunk < total; chunk++) {
    const answer = chunk === 0 ? first : await fetchAnswer(node, toChunkCall(chunk), options)
    const part = parseJsonObject(takeResult(answer), 'genesis_chunked')
    const given = asCount(part.chunk, 'genesis_chunked.chunk')
    total = asCount(part.total, 'genesis_chunked.total')
    if (given !== chunk || total > 4096) throw new NodeFault('bad_field', `chunk ${given} of ${total} instead of chunk ${chunk}`)
    parts.push(Buffer.from(asText(part.data, 'genesis_chunked.data'), 'base64'))
  }
  return Buffer.concat(parts)
}

async function fetchWholeGenesis(node: NodeClient, options: ExchangeOptions): Promise<Uint8Array> {
  const answer = await fetchAnswer(node, { method: 'genesis', params: {} }, options)
  const { genesis } = parseJsonObject(takeResult(answer), 'genesis')
  return Buffer.from(JSON.stringify(asObject(genesis, 'genesis.genesis')))
}

function toChunkCall(chunk: number): RpcCall {
  return { method: 'genesis_chunked', params: { chunk: String(chunk) } }
}

function toCalls(height: number): [RpcCall, RpcCall] {
  const params = { height: String(height) }
  return [
    { method: 'block', params },
    { method: 'block_results', params },
  ]
}

function toRawBlock(node: NodeClient, height: number, block: Uint8Array, results: Uint8Array): RawBlock {
  return { height, block, results, origin: node.label }
}

async function fetchOne(node: NodeClient, call: RpcCall, maxBytes: number, options: ExchangeOptions): Promise<Uint8Array> {
  const [answer] = await fetchAll(node, [call], maxBytes, options)
  return takeResult(answer!)
}

async function fetchAnswer(node: NodeClient, call: RpcCall, options: ExchangeOptions): Promise<RpcAnswer> {
  const [answer] = await fetchAll(node, [call], MAX_ANSWER_BYTES, options)
  return answer!
}

function takeResult(answer: RpcAnswer): Uint8Array {
  if ('error' in answer) throw rejectRpc(answer.error)
  return answer.result
}

/** Answers to several calls in one request, each a result or an error. */
export async function fetchAll(
  node: NodeClient,
  calls: readonly RpcCall[],
  maxBytes: number,
  options: ExchangeOptions,
): Promise<RpcAnswer[]> {
  const answer = await node.send({ url: node.url, body: writeRequest(calls), maxBytes, ...options })
  // Some gateways send the JSON-RPC error with status 500, as nodes do in the GET form.
  if (answer.status === 500) throw readErrorBody(answer.body, calls.length) ?? rejectStatus(answer)
  if (answer.status !== 200) throw rejectStatus(answer)
  const answers = readAnswers(answer.body, calls.length)
  if (!Array.isArray(answers)) throw rejectRpc(answers)
  return answers
}

function readErrorBody(body: Buffer, count: number): Error | undefined {
  try {
    const answers = readAnswers(body, count)
    if (!Array.isArray(answers)) return rejectRpc(answers)
    const refused = answers.find((answer) => 'error' in answer)
    return refused && 'error' in refused ? rejectRpc(refused.error) : undefined
  } catch (error) {
    if (!(error instanceof Transient)) throw error
    return undefined
  }
}

/** One page of the answer of `validators`, and how many there are on all pages. */
type ValidatorsPage = { validators: ConsensusValidator[]; total: number }

function parseValidatorsPage(answer: Uint8Array): ValidatorsPage {
  const page = parseJsonObject(answer, 'validators')
  return {
    validators: asList(page.validators, 'validators').map(parseValidator),
    total: asCount(page.total, 'validators.total'),
  }
}

function parseValidator(value: unknown): ConsensusValidator {
  const entry = asObject(value, 'validators')
  const key = Buffer.from(asText(asObject(entry.pub_key, 'validators.pub_key').value, 'validators.pub_key.value'), 'base64')
  const power = asInt64(entry.voting_power, 'validators.voting_power')
  if (key.length !== 32) rejectField('validators.pub_key', 'an ed25519 key')
  if (power <= 0n) rejectField('validators.voting_power', 'above zero')
  return { publicKey: key.toString('hex'), power }
}
