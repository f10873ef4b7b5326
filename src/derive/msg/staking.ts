/** Delegations move by events; creating and editing a validator needs the message, because the events carry only its stake and rate. */
import { PubKeySchema } from '../../decode/gen/cosmos/crypto/ed25519/types_pb.ts'
import {
  type Description,
  MsgBeginRedelegateSchema,
  MsgCancelUnbondingDelegationSchema,
  type MsgCreateValidator,
  MsgCreateValidatorSchema,
  MsgDelegateSchema,
  type MsgEditValidator,
  MsgEditValidatorSchema,
  MsgUndelegateSchema,
  MsgUpdateParamsSchema,
  ParamsSchema,
} from '../../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { AnyMessage } from '../../decode/tx.ts'
import { consensusAddress, decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Effect, ValidatorDescription } from '../../types/effects.ts'
import { type CoinText, parseAmount } from '../coins.ts'
import { parseWireDec } from '../decimal.ts'
import { handler, type MessagePart, type MessageTable, readAs } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const CREATE_VALIDATOR = '/cosmos.staking.v1beta1.MsgCreateValidator'

export const stakingMessages: MessageTable = {
  [CREATE_VALIDATOR]: handler(MsgCreateValidatorSchema, (msg) => ({
    signers: [msg.validatorAddress],
    links: [
      ['validator', msg.validatorAddress],
      ['delegator', msg.delegatorAddress],
    ],
    validators: [msg.validatorAddress],
    effects: () => createValidator(msg),
  })),
  '/cosmos.staking.v1beta1.MsgEditValidator': handler(MsgEditValidatorSchema, (msg) => ({
    signers: [msg.validatorAddress],
    links: [['validator', msg.validatorAddress]],
    validators: [msg.validatorAddress],
    effects: () => editValidator(msg),
  })),
  '/cosmos.staking.v1beta1.MsgDelegate': handler(MsgDelegateSchema, (msg) => ({
    signers: [msg.delegatorAddress],
    links: [
      ['delegator', msg.delegatorAddress],
      ['validator', msg.validatorAddress],
    ],
    validators: [msg.validatorAddress],
    ...chargeOf(msg.amount),
  })),
  '/cosmos.staking.v1beta1.MsgBeginRedelegate': handler(MsgBeginRedelegateSchema, (msg) => ({
    signers: [msg.delegatorAddress],
    links: [
      ['delegator', msg.delegatorAddress],
      ['validatorSrc', msg.validatorSrcAddress],
      ['validatorDst', msg.validatorDstAddress],
    ],
    validators: [msg.validatorSrcAddress, msg.validatorDstAddress],
    ...chargeOf(msg.amount),
  })),
  '/cosmos.staking.v1beta1.MsgUndelegate': handler(MsgUndelegateSchema, (msg) => ({
    signers: [msg.delegatorAddress],
    links: [
      ['delegator', msg.delegatorAddress],
      ['validator', msg.validatorAddress],
    ],
    validators: [msg.validatorAddress],
    unbondAmount: parseAmount(msg.amount?.amount) ?? 0n,
    ...chargeOf(msg.amount),
  })),
  '/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation': handler(MsgCancelUnbondingDelegationSchema, (msg) => ({
    signers: [msg.delegatorAddress],
    links: [
      ['delegator', msg.delegatorAddress],
      ['validator', msg.validatorAddress],
    ],
    validators: [msg.validatorAddress],
    ...chargeOf(msg.amount),
  })),
  '/cosmos.staking.v1beta1.MsgUpdateParams': updateModuleParams('staking', MsgUpdateParamsSchema, ParamsSchema),
}

/** The limit of an authorization to stake counts what is asked for, not what the events state. */
function chargeOf(amount: CoinText | undefined): Pick<MessagePart, 'charge'> {
  return amount ? { charge: [amount] } : {}
}

function createValidator(msg: MsgCreateValidator): Effect[] {
  const operator = decodeAccount(msg.validatorAddress)
  const key = consensusKeyOf(msg.pubkey)
  if (operator === undefined || key === undefined) return []
  return [
    {
      kind: 'create-validator',
      operator,
      // Newer SDKs leave it empty: the operator's own account delegates.
      delegator: decodeAccount(msg.delegatorAddress) ?? operator,
      ...key,
      description: toDescription(msg.description),
      rate: parseWireDec(msg.commission?.rate ?? '') ?? 0n,
      maxRate: parseWireDec(msg.commission?.maxRate ?? '') ?? 0n,
      maxChangeRate: parseWireDec(msg.commission?.maxChangeRate ?? '') ?? 0n,
      minSelfDelegation: parseAmount(msg.minSelfDelegation) ?? 0n,
      amount: parseAmount(msg.value?.amount) ?? 0n,
    },
  ]
}

/** An ed25519 key and its consensus address; the chain accepts no other kind. */
export function consensusKeyOf(pubkey: AnyMessage | undefined): { consAddress: string; publicKey: string } | undefined {
  if (pubkey === undefined || !pubkey.typeUrl.endsWith('ed25519.PubKey')) return undefined
  const key = readAs(PubKeySchema, pubkey.value)?.key
  return key?.length === 32 ? { consAddress: consensusAddress(key), publicKey: Buffer.from(key).toString('hex') } : undefined
}

function toDescription(description: Description | undefined): ValidatorDescription {
  return {
    moniker: description?.moniker ?? '',
    identity: description?.identity ?? '',
    website: description?.website ?? '',
    contacts: description?.securityContact ?? '',
    details: description?.details ?? '',
  }
}

const UNCHANGED = '[do-not-modify]'

function editValidator(msg: MsgEditValidator): Effect[] {
  const operator = decodeAccount(msg.validatorAddress)
  if (operator === undefined) return []
  const description: Partial<ValidatorDescription> = {}
  for (const [name, text] of Object.entries(toDescription(msg.description)))
    if (text !== UNCHANGED) description[name as keyof ValidatorDescription] = text
  // Both are absent (empty on the wire) when they stay as they are.
  const rate = parseWireDec(msg.commissionRate)
  const minSelfDelegation = parseAmount(msg.minSelfDelegation)
  return [
    {
      kind: 'edit-validator',
      operator,
      description,
      ...(rate === undefined ? {} : { rate }),
      ...(minSelfDelegation === undefined ? {} : { minSelfDelegation }),
    },
  ]
}
