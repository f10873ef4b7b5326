import { create } from '@bufbuild/protobuf'
import { type Any, AnySchema, type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { sanitizeText } from '../lib/encoding/bytes.ts'
import type { ConsensusParamUpdates } from '../types/chain.ts'
import { type GenesisAccount, type GenesisDenom, readAccount, readDenom } from './genesis-accounts.ts'
import {
  asCoins,
  asFields,
  asInteger,
  asList,
  asMessage,
  asNanos,
  asText,
  asTime,
  encodeMessage,
  type Fields,
  type GenesisCoin,
  refuse,
} from './genesis-fields.ts'
import { type GenesisStaking, readStaking } from './genesis-staking.ts'
import { parseDuration, parseTimestamp } from './scalar-text.ts'
import type { AnyMessage, TxFee } from './tx.ts'

/** The genesis document of any software generation in one form; sections that a chain does not have are empty. */
export type Genesis = {
  chainId: string
  /** RFC 3339 UTC as the document has it */
  time: string
  initialHeight: number
  /** 0 when the document does not say */
  versionApp: number
  consensus: ConsensusParamUpdates
  /** Parameters as JSON by module; durations are nanoseconds as text, everything else is as it stands. */
  params: { module: string; values: Fields }[]
  accounts: GenesisAccount[]
  balances: { address: string; coins: GenesisCoin[] }[]
  /** as the document states it; may be empty */
  supply: GenesisCoin[]
  denoms: GenesisDenom[]
  txs: GenesisTx[]
  staking: GenesisStaking
  authorizations: { granter: string; grantee: string; authorization: Any; expiration?: Timestamp }[]
  allowances: { granter: string; grantee: string; allowance: Any }[]
  /** all sections, for state that has no typed form */
  appState: Fields
}

/** The parts a tx of a block has too. */
export type GenesisTx = {
  messages: AnyMessage[]
  memo: string
  timeoutHeight: bigint
  fee: TxFee
  publicKeys: (AnyMessage | undefined)[]
  signaturesCount: number
}

export function readGenesis(document: unknown): Genesis {
  const root = asFields(document, 'genesis')
  const state = asFields(root.app_state, 'app_state')
  const bank = asFields(state.bank, 'bank')
  // Newer SDKs moved the consensus parameters one level down.
  const consensus = asFields(root.consensus_params ?? asFields(root.consensus, 'consensus').params, 'consensus_params')
  const version = asFields(consensus.version, 'consensus_params.version')
  const chainId = asText(root.chain_id, 'chain_id')
  if (chainId === '') refuse('chain_id', 'text')
  return {
    chainId,
    time: asTime(root.genesis_time, 'genesis_time'),
    // 0 and an absent value both mean 1 to the node.
    initialHeight: Number(asInteger(root.initial_height, 'initial_height')) || 1,
    versionApp: Number(asInteger(version.app ?? version.app_version ?? root.app_version, 'version.app')),
    consensus: readConsensus(consensus),
    params: readParams(state),
    accounts: mapList(asFields(state.auth, 'auth').accounts, 'auth.accounts', readAccount),
    balances: mapList(bank.balances, 'bank.balances', (value, path) => {
      const { address, coins } = asFields(value, path)
      return { address: asText(address, `${path}.address`), coins: asCoins(coins, `${path}.coins`) }
    }),
    supply: asCoins(bank.supply, 'bank.supply'),
    denoms: mapList(bank.denom_metadata, 'bank.denom_metadata', readDenom),
    txs: mapList(asFields(state.genutil, 'genutil').gen_txs, 'genutil.gen_txs', readGenesisTx),
    staking: readStaking(state.staking),
    authorizations: mapList(asFields(state.authz, 'authz').authorization, 'authz.authorization', readAuthorization).flat(),
    allowances: mapList(asFields(state.feegrant, 'feegrant').allowances, 'feegrant.allowances', readAllowance).flat(),
    appState: state,
  }
}

function mapList<T>(value: unknown, path: string, read: (entry: unknown, path: string) => T): T[] {
  return asList(value, path).map((entry, i) => read(entry, `${path}[${i}]`))
}

function readConsensus(params: Fields): ConsensusParamUpdates {
  const block = asFields(params.block, 'consensus_params.block')
  const evidence = asFields(params.evidence, 'consensus_params.evidence')
  const validator = asFields(params.validator, 'consensus_params.validator')
  return {
    block: {
      maxBytes: String(asInteger(block.max_bytes, 'block.max_bytes')),
      maxGas: String(asInteger(block.max_gas, 'block.max_gas')),
    },
    evidence: {
      maxAgeNumBlocks: String(asInteger(evidence.max_age_num_blocks, 'evidence.max_age_num_blocks')),
      maxAgeDurationNs: String(asNanos(evidence.max_age_duration, 'evidence.max_age_duration')),
      maxBytes: String(asInteger(evidence.max_bytes, 'evidence.max_bytes')),
    },
    validator: { pubKeyTypes: mapList(validator.pub_key_types, 'validator.pub_key_types', asText) },
  }
}

/** Most modules keep them under `params`; the others are listed here. */
function readParams(state: Fields): Genesis['params'] {
  const params: Genesis['params'] = []
  for (const [module, value] of Object.entries(state)) {
    if (typeof value !== 'object' || value === null) continue
    const section = value as Fields
    const values: Fields = {}
    // Before SDK 0.47 gov had three objects; a newer document keeps them as null.
    const parts = module === 'gov' ? [section.deposit_params, section.voting_params, section.tally_params] : []
    for (const part of [...parts, section.params]) Object.assign(values, asFields(part, `${module}.params`))
    if (module === 'crisis' || module === 'minfee' || module === 'mint') {
      for (const [name, own] of Object.entries(section)) if (name !== 'params' && !(name in values)) values[name] = own
    }
    if (Object.keys(values).length > 0) params.push({ module, values: toNanos(values) })
  }
  const host = asFields(
    asFields(state.interchainaccounts ?? state.icahost, 'interchainaccounts').host_genesis_state,
    'host_genesis_state',
  )
  const icahost = asFields(host.params, 'host_genesis_state.params')
  if (Object.keys(icahost).length > 0) params.push({ module: 'icahost', values: toNanos(icahost) })
  return params
}

function toNanos(values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const nanos = typeof value === 'string' ? parseDuration(value) : undefined
      return [name, nanos === undefined ? value : String(nanos)]
    }),
  )
}

function readGenesisTx(value: unknown, path: string): GenesisTx {
  const tx = asFields(value, path)
  const body = asFields(tx.body, `${path}.body`)
  const auth = asFields(tx.auth_info, `${path}.auth_info`)
  const fee = asFields(auth.fee, `${path}.fee`)
  return {
    messages: mapList(body.messages, `${path}.messages`, asMessage),
    memo: sanitizeText(asText(body.memo, `${path}.memo`)),
    timeoutHeight: asInteger(body.timeout_height, `${path}.timeout_height`),
    fee: {
      coins: asCoins(fee.amount, `${path}.fee.amount`),
      gasLimit: asInteger(fee.gas_limit, `${path}.fee.gas_limit`),
      payer: asText(fee.payer, `${path}.fee.payer`),
      granter: asText(fee.granter, `${path}.fee.granter`),
    },
    publicKeys: mapList(auth.signer_infos, `${path}.signer_infos`, (info, at) => {
      const { public_key } = asFields(info, at)
      return public_key ? encodeMessage(public_key) : undefined
    }),
    signaturesCount: asList(tx.signatures, `${path}.signatures`).length,
  }
}

/** A list of one, or an empty one when the kind of authorization is unknown: as on the chain, that stops nothing. */
function readAuthorization(value: unknown, path: string): Genesis['authorizations'] {
  const { granter, grantee, authorization, expiration } = asFields(value, path)
  const message = encodeMessage(authorization)
  if (!message) return []
  const end = parseTimestamp(asText(expiration, `${path}.expiration`))
  return [
    {
      granter: asText(granter, `${path}.granter`),
      grantee: asText(grantee, `${path}.grantee`),
      authorization: create(AnySchema, message),
      ...(end ? { expiration: create(TimestampSchema, end) } : {}),
    },
  ]
}

function readAllowance(value: unknown, path: string): Genesis['allowances'] {
  const { granter, grantee, allowance } = asFields(value, path)
  const message = encodeMessage(allowance)
  if (!message) return []
  return [
    {
      granter: asText(granter, `${path}.granter`),
      grantee: asText(grantee, `${path}.grantee`),
      allowance: create(AnySchema, message),
    },
  ]
}
