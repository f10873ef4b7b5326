/** Grants start here; they end by events, which also tell of grants that were used up. */
import { type GrantRow, grantRows } from '../../decode/authorization.ts'
import {
  MsgExecSchema,
  MsgGrantSchema,
  MsgPruneExpiredGrantsSchema,
  MsgRevokeSchema,
} from '../../decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Effect, GrantTerms } from '../../types/effects.ts'
import { handler, type Link, type MessagePart, type MessageTable, signedBy } from './handler.ts'

export function grantParties(msg: { granter: string; grantee: string }): { signers: string[]; links: Link[] } {
  return {
    signers: [msg.granter],
    links: [
      ['granter', msg.granter],
      ['grantee', msg.grantee],
    ],
  }
}

/** Gives at once in a tx; inside a proposal, when that has passed. */
export function granting(msg: { granter: string; grantee: string }, listRows: () => GrantRow[]): MessagePart {
  const grants = (): GrantTerms[] => {
    const granter = decodeAccount(msg.granter)
    const grantee = decodeAccount(msg.grantee)
    return granter === undefined || grantee === undefined ? [] : listRows().map((row) => ({ granter, grantee, ...row }))
  }
  return { ...grantParties(msg), grants, effects: () => grants().map((terms): Effect => ({ kind: 'grant', ...terms })) }
}

export const authzMessages: MessageTable = {
  '/cosmos.authz.v1beta1.MsgGrant': handler(MsgGrantSchema, (msg) =>
    granting(msg, () => (msg.grant ? grantRows(msg.grant) : [])),
  ),
  '/cosmos.authz.v1beta1.MsgExec': handler(MsgExecSchema, (msg) => ({
    signers: [msg.grantee],
    links: [['grantee', msg.grantee]],
    inner: msg.msgs,
  })),
  '/cosmos.authz.v1beta1.MsgRevoke': handler(MsgRevokeSchema, grantParties),
  '/cosmos.authz.v1beta1.MsgPruneExpiredGrants': signedBy(MsgPruneExpiredGrantsSchema, 'executor', (msg) => msg.pruner),
}
