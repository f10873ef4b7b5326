import { allowanceRow } from '../../decode/authorization.ts'
import {
  MsgGrantAllowanceSchema,
  MsgPruneAllowancesSchema,
  MsgRevokeAllowanceSchema,
} from '../../decode/gen/cosmos/feegrant/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { grantParties } from './authz.ts'
import { handler, type MessageTable, signedBy } from './handler.ts'

export const feegrantMessages: MessageTable = {
  '/cosmos.feegrant.v1beta1.MsgGrantAllowance': handler(MsgGrantAllowanceSchema, (msg) => ({
    ...grantParties(msg),
    effects: (): Effect[] => {
      const granter = decodeAccount(msg.granter)
      const grantee = decodeAccount(msg.grantee)
      if (granter === undefined || grantee === undefined || !msg.allowance) return []
      return [{ kind: 'grant', granter, grantee, ...allowanceRow(msg.allowance) }]
    },
  })),
  '/cosmos.feegrant.v1beta1.MsgRevokeAllowance': handler(MsgRevokeAllowanceSchema, grantParties),
  '/cosmos.feegrant.v1beta1.MsgPruneAllowances': signedBy(MsgPruneAllowancesSchema, 'executor', (msg) => msg.pruner),
}
