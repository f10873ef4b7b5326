import { hash } from 'node:crypto'
import { consensusAddress } from '../lib/encoding/bech32.ts'
import { NodeFault } from '../lib/errors.ts'
import type { ChainEvent, ConsensusParamUpdates, TxResult, ValidatorUpdate } from '../types/chain.ts'
import {
  asCount,
  asInt64,
  asList,
  asObject,
  asOptionalText,
  asSmallInteger,
  asText,
  countBase64Bytes,
  type JsonObject,
  rejectField,
} from './json-fields.ts'
import { type BlockEvents, hasBase64Events, parseBlockEvents, parseEvents } from './parse-events.ts'
import { type DeterministicResult, hashResults } from './results-hash.ts'

export type ParsedResults = BlockEvents & {
  txResults: TxResult[]
  /** `last_results_hash` that the next header must have. */
  resultsHash: string
  validatorUpdates: ValidatorUpdate[]
  consensusParamUpdates: ConsensusParamUpdates | undefined
}

/** Reads the answer of `block_results` for a block with `txCount` txs. */
export function parseResults(results: JsonObject, height: number, txCount: number): ParsedResults {
  const givenHeight = asCount(results.height, 'results.height')
  if (givenHeight !== height) {
    throw new NodeFault('wrong_height', `results are of height ${givenHeight}, not ${height}`, { height, givenHeight })
  }
  const list = asList(results.txs_results, 'txs_results')
  // "Missing" is never "empty": a node that dropped its results answers null or nothing here.
  if (txCount > 0 && list.length === 0)
    throw new NodeFault('missing_results', `no results for ${txCount} txs`, { height, txCount })
  if (list.length !== txCount) {
    throw new NodeFault('result_count', `${list.length} results for ${txCount} txs`, {
      height,
      txCount,
      resultCount: list.length,
    })
  }
  const isBase64 = hasBase64Events(results)
  const deterministic = new Array<DeterministicResult>(list.length)
  const txResults = list.map((value, i) => {
    const entry = asObject(value, 'txs_results')
    const result = parseTxResult(entry, isBase64)
    deterministic[i] = { code: result.code, data: asBase64(entry.data), gasWanted: result.gasWanted, gasUsed: result.gasUsed }
    return result
  })
  const { events, beginEventsCount } = parseBlockEvents(results, () => txResults.flatMap<ChainEvent>((result) => result.events))
  return {
    events,
    beginEventsCount,
    txResults,
    resultsHash: hashResults(deterministic),
    validatorUpdates: asList(results.validator_updates, 'validator_updates').map(parseValidatorUpdate),
    consensusParamUpdates: parseConsensusParams(results.consensus_param_updates),
  }
}

function parseTxResult(entry: JsonObject, isBase64: boolean): TxResult {
  return {
    code: asSmallInteger(entry.code, 'txs_results.code'),
    codespace: asOptionalText(entry.codespace, 'txs_results.codespace'),
    gasWanted: asInt64(entry.gas_wanted, 'txs_results.gas_wanted'),
    gasUsed: asInt64(entry.gas_used, 'txs_results.gas_used'),
    log: asOptionalText(entry.log, 'txs_results.log'),
    events: parseEvents(entry.events, isBase64, 'txs_results.events'),
    signers: asList(entry.signers, 'txs_results.signers').map((signer) => asText(signer, 'txs_results.signers')),
  }
}

function asBase64(value: unknown): string {
  const text = asOptionalText(value, 'txs_results.data')
  countBase64Bytes(text, 'txs_results.data')
  return text
}

function parseValidatorUpdate(value: unknown): ValidatorUpdate {
  const entry = asObject(value, 'validator_updates')
  const sum = asObject(asObject(entry.pub_key, 'validator_updates.pub_key').Sum, 'validator_updates.pub_key')
  const keys = asObject(sum.value, 'validator_updates.pub_key')
  // The node leaves out a power of 0.
  const power = entry.power === undefined ? 0n : asInt64(entry.power, 'validator_updates.power')
  const isEd25519 = typeof keys.ed25519 === 'string'
  const key = Buffer.from(asText(isEd25519 ? keys.ed25519 : keys.secp256k1, 'validator_updates.pub_key'), 'base64')
  if (key.length !== (isEd25519 ? 32 : 33)) rejectField('validator_updates.pub_key', 'a key')
  // The chain admits ed25519 only; the other kind that the node can print is kept readable.
  if (isEd25519) return { consAddress: consensusAddress(key), power, publicKey: key.toString('hex') }
  return { consAddress: hash('ripemd160', hash('sha256', key, 'buffer'), 'hex').toUpperCase(), power }
}

function parseConsensusParams(value: unknown): ConsensusParamUpdates | undefined {
  if (value === null || value === undefined) return undefined
  const params = asObject(value, 'consensus_param_updates')
  const updates: ConsensusParamUpdates = {}
  const { block, evidence, validator, version } = params
  if (isGiven(block)) {
    const part = asObject(block, 'consensus_param_updates.block')
    updates.block = { maxBytes: asIntText(part.max_bytes), maxGas: asIntText(part.max_gas) }
  }
  if (isGiven(evidence)) {
    const part = asObject(evidence, 'consensus_param_updates.evidence')
    updates.evidence = {
      maxAgeNumBlocks: asIntText(part.max_age_num_blocks),
      maxAgeDurationNs: asIntText(part.max_age_duration),
      maxBytes: asIntText(part.max_bytes),
    }
  }
  if (isGiven(validator)) {
    const part = asObject(validator, 'consensus_param_updates.validator')
    const types = asList(part.pub_key_types, 'pub_key_types')
    updates.validator = { pubKeyTypes: types.map((type) => asText(type, 'pub_key_types')) }
  }
  if (isGiven(version)) {
    // 0.34 nodes call it `app_version`; either is left out when it is 0.
    const part = asObject(version, 'consensus_param_updates.version')
    updates.versionApp = asCount(part.app ?? part.app_version ?? '0', 'consensus_param_updates.version')
  }
  return updates
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** An integer kept as text; a node may leave out a 0. */
function asIntText(value: unknown): string {
  return asInt64(value ?? '0', 'consensus_param_updates').toString()
}
