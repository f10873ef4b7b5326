/** Small modules of the Cosmos SDK that leave links only: auth, circuit, consensus, crisis, evidence, nft, upgrade. */
import {
  ParamsSchema as AuthParamsSchema,
  MsgUpdateParamsSchema as MsgUpdateAuthParamsSchema,
} from '../../decode/gen/cosmos/auth/v1beta1/types_pb.ts'
import {
  MsgAuthorizeCircuitBreakerSchema,
  MsgResetCircuitBreakerSchema,
  MsgTripCircuitBreakerSchema,
} from '../../decode/gen/cosmos/circuit/v1/types_pb.ts'
import {
  MsgUpdateParamsSchema as MsgUpdateConsensusParamsSchema,
  type MsgUpdateParams,
} from '../../decode/gen/cosmos/consensus/v1/types_pb.ts'
import {
  MsgUpdateParamsSchema as MsgUpdateCrisisParamsSchema,
  MsgVerifyInvariantSchema,
} from '../../decode/gen/cosmos/crisis/v1beta1/types_pb.ts'
import { MsgSubmitEvidenceSchema } from '../../decode/gen/cosmos/evidence/v1beta1/types_pb.ts'
import { MsgSendSchema as MsgSendNftSchema } from '../../decode/gen/cosmos/nft/v1beta1/types_pb.ts'
import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../decode/gen/cosmos/upgrade/v1beta1/types_pb.ts'
import { BlockParamsSchema, EvidenceParamsSchema, ValidatorParamsSchema } from '../../decode/gen/tendermint/types/types_pb.ts'
import type { ConstantChange } from '../../types/effects.ts'
import { constantsOfMessage } from '../constants.ts'
import { grantParties } from './authz.ts'
import { handler, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams, updateParams } from './update-params.ts'

export const sdkMessages: MessageTable = {
  '/cosmos.auth.v1beta1.MsgUpdateParams': updateModuleParams('auth', MsgUpdateAuthParamsSchema, AuthParamsSchema),
  '/cosmos.circuit.v1.MsgAuthorizeCircuitBreaker': handler(MsgAuthorizeCircuitBreakerSchema, grantParties),
  '/cosmos.circuit.v1.MsgResetCircuitBreaker': signedBy(MsgResetCircuitBreakerSchema, 'authority', (msg) => msg.authority),
  '/cosmos.circuit.v1.MsgTripCircuitBreaker': signedBy(MsgTripCircuitBreakerSchema, 'authority', (msg) => msg.authority),
  '/cosmos.consensus.v1.MsgUpdateParams': updateParams(MsgUpdateConsensusParamsSchema, listConsensusParams, (msg) => ({
    role: 'authority',
    address: msg.authority,
  })),
  '/cosmos.crisis.v1beta1.MsgVerifyInvariant': signedBy(MsgVerifyInvariantSchema, 'sender', (msg) => msg.sender),
  '/cosmos.crisis.v1beta1.MsgUpdateParams': updateParams(
    MsgUpdateCrisisParamsSchema,
    ({ constantFee }) =>
      constantFee ? [{ module: 'crisis', name: 'constant_fee', value: constantFee.amount + constantFee.denom }] : [],
    (msg) => ({ role: 'authority', address: msg.authority }),
  ),
  '/cosmos.evidence.v1beta1.MsgSubmitEvidence': signedBy(MsgSubmitEvidenceSchema, 'submitter', (msg) => msg.submitter),
  '/cosmos.nft.v1beta1.MsgSend': handler(MsgSendNftSchema, (msg) => ({
    signers: [msg.sender],
    links: [
      ['sender', msg.sender],
      ['receiver', msg.receiver],
    ],
  })),
  '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade': signedBy(MsgSoftwareUpgradeSchema, 'authority', (msg) => msg.authority),
  '/cosmos.upgrade.v1beta1.MsgCancelUpgrade': signedBy(MsgCancelUpgradeSchema, 'authority', (msg) => msg.authority),
}

function listConsensusParams({ block, evidence, validator }: MsgUpdateParams): ConstantChange[] {
  return [
    ...constantsOfMessage('consensus', BlockParamsSchema, block, 'block_'),
    ...constantsOfMessage('consensus', EvidenceParamsSchema, evidence, 'evidence_'),
    ...constantsOfMessage('consensus', ValidatorParamsSchema, validator, 'validator_'),
  ]
}
