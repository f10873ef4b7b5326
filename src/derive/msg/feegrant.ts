import { allowanceRow } from '../../decode/authorization.ts'
import {
  MsgGrantAllowanceSchema,
  MsgPruneAllowancesSchema,
  MsgRevokeAllowanceSchema,
} from '../../decode/gen/cosmos/feegrant/v1beta1/types_pb.ts'
import { granting, grantParties } from './authz.ts'
import { handler, type MessageTable, signedBy } from './handler.ts'

export const feegrantMessages: MessageTable = {
  '/cosmos.feegrant.v1beta1.MsgGrantAllowance': handler(MsgGrantAllowanceSchema, (msg) =>
    granting(msg, () => (msg.allowance ? [allowanceRow(msg.allowance)] : [])),
  ),
  '/cosmos.feegrant.v1beta1.MsgRevokeAllowance': handler(MsgRevokeAllowanceSchema, grantParties),
  '/cosmos.feegrant.v1beta1.MsgPruneAllowances': signedBy(MsgPruneAllowancesSchema, 'executor', (msg) => msg.pruner),
}
