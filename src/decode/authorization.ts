/** Grants as rows: which authorization stands for which messages, and the `params` object the API shows. */
import type { Any, Timestamp } from '@bufbuild/protobuf/wkt'
import { sanitizeText } from '../lib/encoding/bytes.ts'
import type { GrantLimit, Json } from '../types/effects.ts'
import { decodeAny } from './any.ts'
import type { GenericAuthorization, Grant } from './gen/cosmos/authz/v1beta1/types_pb.ts'
import type { SendAuthorization } from './gen/cosmos/bank/v1beta1/types_pb.ts'
import type { Coin } from './gen/cosmos/base/v1beta1/types_pb.ts'
import type { AllowedMsgAllowance, BasicAllowance, PeriodicAllowance } from './gen/cosmos/feegrant/v1beta1/types_pb.ts'
import type { StakeAuthorization } from './gen/cosmos/staking/v1beta1/types_pb.ts'
import { allowanceLimit, authorizationLimit } from './grant-limit.ts'
import { messageData } from './message.ts'
import { durationNanos, formatTimestampMicros, formatTimestampTrimmed } from './scalar-text.ts'
import type { JsonObject } from './to-json.ts'

export type GrantRow = {
  /** message type URL, type URL of an authorization of another kind, or `fee` */
  authorization: string
  /** RFC 3339 UTC with at most 6 fraction digits; null for a grant without end */
  expiration: string | null
  params: Json
  /** absent where there is none */
  limit?: GrantLimit
}

type AnyValue = Pick<Any, 'typeUrl' | 'value'>

const GENERIC = '/cosmos.authz.v1beta1.GenericAuthorization'
const SEND = '/cosmos.bank.v1beta1.SendAuthorization'
const STAKE = '/cosmos.staking.v1beta1.StakeAuthorization'
const TRANSFER = '/ibc.applications.transfer.v1.TransferAuthorization'
const BASIC = '/cosmos.feegrant.v1beta1.BasicAllowance'
const PERIODIC = '/cosmos.feegrant.v1beta1.PeriodicAllowance'
const ALLOWED_MESSAGES = '/cosmos.feegrant.v1beta1.AllowedMsgAllowance'

export const FEE_AUTHORIZATION = 'fee'

/** By number of the authorization type; an unspecified one stands for the first three. */
const STAKE_MESSAGES = ['MsgDelegate', 'MsgUndelegate', 'MsgBeginRedelegate', 'MsgCancelUnbondingDelegation'].map(
  (name) => `/cosmos.staking.v1beta1.${name}`,
)

/** Rows of a grant: one, or three for a stake authorization that does not say which. */
export function grantRows({ authorization, expiration }: Pick<Grant, 'authorization' | 'expiration'>): GrantRow[] {
  if (!authorization) return []
  const end = expiration ? formatTimestampMicros(expiration) : null
  const { names, params } = readAuthorization(authorization)
  const limit = authorizationLimit(authorization)
  return names.map((name) => ({ authorization: sanitizeText(name), expiration: end, params, ...(limit && { limit }) }))
}

/** Row of a fee allowance; the end is that of its basic part. */
export function allowanceRow(allowance: AnyValue): GrantRow {
  const end = readExpiration(allowance, 0)
  const limit = allowanceLimit(allowance)
  return {
    authorization: FEE_AUTHORIZATION,
    expiration: end ? formatTimestampMicros(end) : null,
    params: allowanceParams(allowance),
    ...(limit && { limit }),
  }
}

/** Rows that a revocation of a message type ends: a transfer authorization is listed under its own type. */
export function revokedAuthorizations(msgTypeUrl: string): string[] {
  return msgTypeUrl === '/ibc.applications.transfer.v1.MsgTransfer' ? [msgTypeUrl, TRANSFER] : [sanitizeText(msgTypeUrl)]
}

function readAuthorization({ typeUrl, value }: AnyValue): { names: string[]; params: Json } {
  const message = decodeAny(typeUrl, value)?.message
  if (message) {
    if (typeUrl === GENERIC) {
      const { msg } = message as GenericAuthorization
      return { names: [msg], params: { Msg: sanitizeText(msg) } }
    }
    if (typeUrl === SEND) {
      const { spendLimit, allowList } = message as SendAuthorization
      const params = {
        SpendLimit: spendLimit.map(writeCoin),
        AllowList: allowList.length > 0 ? allowList.map(sanitizeText) : null,
      }
      return { names: ['/cosmos.bank.v1beta1.MsgSend'], params }
    }
    if (typeUrl === STAKE) return readStakeAuthorization(message as StakeAuthorization)
  }
  return { names: [typeUrl], params: messageData(typeUrl, value, { success: true }) }
}

function readStakeAuthorization({ maxTokens, validators, authorizationType }: StakeAuthorization): {
  names: string[]
  params: Json
} {
  const list = validators.case === undefined ? null : { Address: validators.value.address.map(sanitizeText) }
  const params: JsonObject = {
    MaxTokens: maxTokens ? writeCoin(maxTokens) : null,
    Validators: list && { [validators.case === 'allowList' ? 'AllowList' : 'DenyList']: list },
    AuthorizationType: authorizationType,
  }
  const name = STAKE_MESSAGES[authorizationType - 1]
  return { names: name ? [name] : STAKE_MESSAGES.slice(0, 3), params }
}

export function allowanceParams({ typeUrl, value }: AnyValue): Json {
  const message = decodeAny(typeUrl, value)?.message
  if (message && typeUrl === BASIC) return writeBasic(message as BasicAllowance)
  if (message && typeUrl === PERIODIC) {
    const { basic, period, periodSpendLimit, periodCanSpend, periodReset } = message as PeriodicAllowance
    return {
      Basic: basic ? writeBasic(basic) : { SpendLimit: [], Expiration: null },
      Period: period ? Number(durationNanos(period)) : 0,
      PeriodSpendLimit: periodSpendLimit.map(writeCoin),
      PeriodCanSpend: periodCanSpend.map(writeCoin),
      PeriodReset: periodReset ? formatTimestampTrimmed(periodReset) : null,
    }
  }
  if (message && typeUrl === ALLOWED_MESSAGES) {
    const { allowance, allowedMessages } = message as AllowedMsgAllowance
    return {
      Allowance: allowance ? toSnakeCase(innerParams(allowance)) : null,
      AllowedMessages: allowedMessages.map(sanitizeText),
    }
  }
  return messageData(typeUrl, value, { success: true })
}

/** Allowed messages do not nest on the chain; a chain that let them would only be shown the plain form. */
function innerParams(allowance: AnyValue): Json {
  const { typeUrl, value } = allowance
  return typeUrl === ALLOWED_MESSAGES ? messageData(typeUrl, value, { success: true }) : allowanceParams(allowance)
}

function writeBasic({ spendLimit, expiration }: BasicAllowance): JsonObject {
  return { SpendLimit: spendLimit.map(writeCoin), Expiration: expiration ? formatTimestampTrimmed(expiration) : null }
}

function writeCoin({ denom, amount }: Coin): JsonObject {
  return { Denom: sanitizeText(denom), Amount: sanitizeText(amount) || '0' }
}

/** The inner allowance is shown in the chain's own JSON names, where an absent end is left out. */
function toSnakeCase(json: Json): Json {
  if (Array.isArray(json)) return json.map(toSnakeCase)
  if (typeof json !== 'object' || json === null) return json
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(json)) {
    if (key === 'Expiration' && value === null) continue
    out[key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()] = toSnakeCase(value)
  }
  return out
}

function readExpiration({ typeUrl, value }: AnyValue, depth: number): Timestamp | undefined {
  const message = decodeAny(typeUrl, value)?.message
  if (!message || depth > 1) return undefined
  if (typeUrl === BASIC) return (message as BasicAllowance).expiration
  if (typeUrl === PERIODIC) return (message as PeriodicAllowance).basic?.expiration
  if (typeUrl !== ALLOWED_MESSAGES) return undefined
  const { allowance } = message as AllowedMsgAllowance
  return allowance && readExpiration(allowance, depth + 1)
}
