/** Grants start here; they end by events, which also tell of grants that were used up. */
import { grantRows } from '../../decode/authorization.ts'
import {
  MsgExecSchema,
  MsgGrantSchema,
  MsgPruneExpiredGrantsSchema,
  MsgRevokeSchema,
} from '../../decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { handler, type Link, type MessageTable, signedBy } from './handler.ts'

export function grantParties(msg: { granter: string; grantee: string }): { signers: string[]; links: Link[] } {
  return {
    signers: [msg.granter],
    links: [
      ['granter', msg.granter],
      ['grantee', msg.grantee],
    ],
  }
}

export const authzMessages: MessageTable = {
  '/cosmos.authz.v1beta1.MsgGrant': handler(MsgGrantSchema, (msg) => ({
    ...grantParties(msg),
    effects: (): Effect[] => {
      const granter = decodeAccount(msg.granter)
      const grantee = decodeAccount(msg.grantee)
      if (granter === undefined || grantee === undefined || !msg.grant) return []
      return grantRows(msg.grant).map((row) => ({ kind: 'grant', granter, grantee, ...row }))
    },
  })),
  '/cosmos.authz.v1beta1.MsgExec': handler(MsgExecSchema, (msg) => ({
    signers: [msg.grantee],
    links: [['grantee', msg.grantee]],
    inner: msg.msgs,
  })),
  '/cosmos.authz.v1beta1.MsgRevoke': handler(MsgRevokeSchema, grantParties),
  '/cosmos.authz.v1beta1.MsgPruneExpiredGrants': signedBy(MsgPruneExpiredGrantsSchema, 'executor', (msg) => msg.pruner),
}
