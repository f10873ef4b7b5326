/** Withdrawals are told by events; the messages add who and which validator. */
import {
  MsgCommunityPoolSpendSchema,
  MsgDepositValidatorRewardsPoolSchema,
  MsgFundCommunityPoolSchema,
  MsgSetWithdrawAddressSchema,
  MsgUpdateParamsSchema,
  MsgWithdrawDelegatorRewardSchema,
  MsgWithdrawValidatorCommissionSchema,
  ParamsSchema,
} from '../../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { handler, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const distributionMessages: MessageTable = {
  '/cosmos.distribution.v1beta1.MsgSetWithdrawAddress': handler(MsgSetWithdrawAddressSchema, (msg) => ({
    signers: [msg.delegatorAddress],
    links: [
      ['delegator', msg.delegatorAddress],
      ['withdraw', msg.withdrawAddress],
    ],
  })),
  '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': handler(MsgWithdrawDelegatorRewardSchema, (msg) => ({
    signers: [msg.delegatorAddress],
    links: [
      ['delegator', msg.delegatorAddress],
      ['validator', msg.validatorAddress],
    ],
    validators: [msg.validatorAddress],
  })),
  '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission': handler(MsgWithdrawValidatorCommissionSchema, (msg) => ({
    signers: [msg.validatorAddress],
    links: [['validator', msg.validatorAddress]],
    validators: [msg.validatorAddress],
  })),
  '/cosmos.distribution.v1beta1.MsgFundCommunityPool': signedBy(MsgFundCommunityPoolSchema, 'depositor', (msg) => msg.depositor),
  '/cosmos.distribution.v1beta1.MsgUpdateParams': updateModuleParams('distribution', MsgUpdateParamsSchema, ParamsSchema),
  '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend': handler(MsgCommunityPoolSpendSchema, (msg) => ({
    signers: [msg.authority],
    links: [
      ['authority', msg.authority],
      ['receiver', msg.recipient],
    ],
    spend: { recipient: msg.recipient, amount: msg.amount.map(({ denom, amount }) => ({ denom, amount })) },
  })),
  '/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool': handler(MsgDepositValidatorRewardsPoolSchema, (msg) => ({
    signers: [msg.depositor],
    links: [
      ['depositor', msg.depositor],
      ['validator', msg.validatorAddress],
    ],
    validators: [msg.validatorAddress],
  })),
}
