/** Parameters of the chain as the constants table keeps them: which names exist, and how each source writes their values. */
import { type DescField, type DescMessage, getOption, type Message } from '@bufbuild/protobuf'
import type { Duration } from '@bufbuild/protobuf/wkt'
import { Scalar, scalar } from '../decode/gen/astrolabe/types_pb.ts'
import { durationNanos, formatDec, parseDuration } from '../decode/scalar-text.ts'
import type { ConsensusParamUpdates } from '../types/chain.ts'
import type { ConstantChange } from '../types/effects.ts'
import { type CoinText, formatCoins } from './coins.ts'

/** The names that are shown; parameters of other modules and newer fields stay out until they are listed here. */
const NAMES: Record<string, readonly string[]> = {
  consensus: [
    'block_max_bytes',
    'block_max_gas',
    'evidence_max_age_num_blocks',
    'evidence_max_age_duration',
    'evidence_max_bytes',
    'validator_pub_key_types',
  ],
  auth: ['max_memo_characters', 'tx_sig_limit', 'tx_size_cost_per_byte', 'sig_verify_cost_ed25519', 'sig_verify_cost_secp256k1'],
  blob: ['gas_per_blob_byte', 'gov_max_square_size'],
  crisis: ['constant_fee'],
  distribution: ['community_tax', 'base_proposer_reward', 'bonus_proposer_reward', 'withdraw_addr_enabled'],
  gov: [
    'min_deposit',
    'max_deposit_period',
    'voting_period',
    'quorum',
    'threshold',
    'veto_threshold',
    'min_initial_deposit_ratio',
    'proposal_cancel_ratio',
    'expedited_voting_period',
    'expedited_threshold',
    'expedited_min_deposit',
    'burn_vote_quorum',
    'burn_proposal_deposit_prevote',
    'burn_vote_veto',
    'min_deposit_ratio',
  ],
  slashing: [
    'signed_blocks_window',
    'min_signed_per_window',
    'downtime_jail_duration',
    'slash_fraction_double_sign',
    'slash_fraction_downtime',
  ],
  staking: [
    'unbonding_time',
    'max_validators',
    'max_entries',
    'historical_entries',
    'bond_denom',
    'min_commission_rate',
    'max_commission_rate',
  ],
  icahost: ['host_enabled', 'allow_messages'],
  minfee: ['network_min_gas_price'],
  fibre: [
    'withdrawal_delay',
    'payment_promise_timeout',
    'payment_promise_height_window',
    'shard_retention',
    'full_stake_storage_budget',
  ],
}

export function keepKnown(changes: readonly ConstantChange[]): ConstantChange[] {
  return changes.filter(({ module, name }) => NAMES[module]?.includes(name) ?? false)
}

/** Every field of a parameters message, by its name in the proto file. `prefix` is for the parts of consensus parameters. */
export function constantsOfMessage(
  module: string,
  schema: DescMessage,
  message: Message | undefined,
  prefix = '',
): ConstantChange[] {
  if (message === undefined) return []
  const values = message as unknown as Record<string, unknown>
  return schema.fields.map((field) => ({ module, name: prefix + field.name, value: toText(field, values[field.localName]) }))
}

function toText(field: DescField, value: unknown): string {
  if (value === undefined) return ''
  if (field.fieldKind === 'list') {
    const items = value as unknown[]
    return field.listKind === 'message' ? formatCoins(items as CoinText[]) : items.join(',')
  }
  if (field.fieldKind === 'message') {
    if (field.message.typeName === 'google.protobuf.Duration') return String(durationNanos(value as Duration))
    const { amount, denom } = value as Partial<CoinText>
    return amount === undefined || denom === undefined ? '' : amount + denom
  }
  if (typeof value === 'string' && getOption(field, scalar) === Scalar.DEC) return formatDec(value)
  return String(value)
}

/** Parameters as JSON: an object of a genesis document or of an old parameter change. */
export function constantsOfJson(module: string, params: unknown, prefix = ''): ConstantChange[] {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return []
  return Object.entries(params).map(([name, value]) => ({ module, name: prefix + name, value: jsonToText(value) }))
}

export function jsonToText(value: unknown): string {
  // Durations in JSON are seconds with an `s`.
  if (typeof value === 'string') return parseDuration(value)?.toString() ?? value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(jsonToText).join(',')
  if (typeof value === 'object') {
    const { amount, denom } = value as Partial<CoinText>
    return typeof amount === 'string' && typeof denom === 'string' ? amount + denom : JSON.stringify(value)
  }
  return String(value)
}

export function constantsOfConsensus({ block, evidence, validator }: ConsensusParamUpdates): ConstantChange[] {
  const constants: ConstantChange[] = []
  const add = (name: string, value: string) => constants.push({ module: 'consensus', name, value })
  if (block) {
    add('block_max_bytes', block.maxBytes)
    add('block_max_gas', block.maxGas)
  }
  if (evidence) {
    add('evidence_max_age_num_blocks', evidence.maxAgeNumBlocks)
    add('evidence_max_age_duration', evidence.maxAgeDurationNs)
    add('evidence_max_bytes', evidence.maxBytes)
  }
  if (validator) add('validator_pub_key_types', validator.pubKeyTypes.join(','))
  return constants
}

/** A change of an old parameter proposal: keys are CamelCase or run together, values are JSON, some of them whole objects. */
export function constantsOfLegacyChange(subspace: string, key: string, valueJson: string): ConstantChange[] {
  const value = parseJson(valueJson)
  if (subspace === 'baseapp') {
    const prefix = { BlockParams: 'block_', EvidenceParams: 'evidence_', ValidatorParams: 'validator_' }[key]
    return prefix === undefined ? [] : keepKnown(constantsOfJson('consensus', value, prefix))
  }
  if (subspace === 'gov') return keepKnown(constantsOfJson('gov', value))
  const name = NAMES[subspace]?.find((known) => known.replaceAll('_', '') === key.toLowerCase())
  return name === undefined ? [] : [{ module: subspace, name, value: jsonToText(value) }]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Proposals are free text: what is no JSON is taken as it stands.
    return text
  }
}
