/** Spend limit of an authorization or a fee allowance when it is granted. */
import type { Any } from '@bufbuild/protobuf/wkt'
import { sanitizeText } from '../lib/encoding/bytes.ts'
import type { CoinAmount, GrantLimit } from '../types/effects.ts'
import { decodeAny } from './any.ts'
import type { SendAuthorization } from './gen/cosmos/bank/v1beta1/types_pb.ts'
import type { Coin } from './gen/cosmos/base/v1beta1/types_pb.ts'
import type { AllowedMsgAllowance, BasicAllowance, PeriodicAllowance } from './gen/cosmos/feegrant/v1beta1/types_pb.ts'
import type { StakeAuthorization } from './gen/cosmos/staking/v1beta1/types_pb.ts'
import { durationNanos, formatTimestampMicros } from './scalar-text.ts'

type AnyValue = Pick<Any, 'typeUrl' | 'value'>

/** The chain reads a time that is not there as the first one. */
const FIRST_TIME = '0001-01-01T00:00:00Z'

/** Undefined for what has no limit, and for kinds whose arithmetic is not known here. */
export function authorizationLimit({ typeUrl, value }: AnyValue): GrantLimit | undefined {
  const message = decodeAny(typeUrl, value)?.message
  if (!message) return undefined
  if (typeUrl === '/cosmos.bank.v1beta1.SendAuthorization') return total((message as SendAuthorization).spendLimit)
  if (typeUrl !== '/cosmos.staking.v1beta1.StakeAuthorization') return undefined
  const { maxTokens } = message as StakeAuthorization
  return maxTokens && total([maxTokens])
}

export function allowanceLimit({ typeUrl, value }: AnyValue, depth = 0): GrantLimit | undefined {
  const message = decodeAny(typeUrl, value)?.message
  if (!message || depth > 1) return undefined
  switch (typeUrl) {
    case '/cosmos.feegrant.v1beta1.BasicAllowance':
      return total((message as BasicAllowance).spendLimit)
    case '/cosmos.feegrant.v1beta1.PeriodicAllowance':
      return periodic(message as PeriodicAllowance)
    case '/cosmos.feegrant.v1beta1.AllowedMsgAllowance': {
      const { allowance } = message as AllowedMsgAllowance
      return allowance && allowanceLimit(allowance, depth + 1)
    }
    default:
      return undefined
  }
}

/** An empty list is no limit. */
function total(coins: readonly Coin[]): GrantLimit | undefined {
  return coins.length === 0 ? undefined : { spend_limit: amountsOf(coins), period: null }
}

function periodic({ basic, period, periodSpendLimit, periodCanSpend, periodReset }: PeriodicAllowance): GrantLimit {
  return {
    spend_limit: basic && basic.spendLimit.length > 0 ? amountsOf(basic.spendLimit) : null,
    period: {
      seconds: period ? Number(durationNanos(period) / 1000n) / 1e6 : 0,
      spend_limit: amountsOf(periodSpendLimit),
      can_spend: amountsOf(periodCanSpend),
      reset: (periodReset && formatTimestampMicros(periodReset)) ?? FIRST_TIME,
    },
  }
}

function amountsOf(coins: readonly Coin[]): CoinAmount[] {
  return coins.map(({ denom, amount }) => ({ denom: sanitizeText(denom), amount: sanitizeText(amount) || '0' }))
}
