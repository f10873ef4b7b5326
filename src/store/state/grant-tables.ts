import type { GrantLimit } from '../../types/effects.ts'
import { bool, bytes, type Column, int, json, orNull, text, time } from './column.ts'
import { defineTable, type RowOf } from './table-def.ts'

const grantLimit = json as Column<unknown> as Column<GrantLimit>

export const grantTable = defineTable({
  name: 'authz_grant',
  key: ['granter_id', 'grantee_id', 'authorization'],
  residence: 'keys',
  bornWith: { granter_id: 'address' },
  columns: {
    id: int,
    granter_id: int,
    grantee_id: int,
    authorization: text,
    expiration: orNull(time),
    params: json,
    remaining: orNull(grantLimit),
    revoked: bool,
    revoke_height: orNull(int),
    height: int,
    time,
  },
})

export type GrantRow = RowOf<typeof grantTable>

/** What open proposals would grant: the events of a proposal that passed do not tell the terms. Accounts are bytes, they need not exist yet. */
export const proposalGrantTable = defineTable({
  name: 'proposal_grant',
  key: ['proposal_id', 'position'],
  residence: 'all',
  columns: {
    proposal_id: int,
    position: int,
    granter: bytes,
    grantee: bytes,
    authorization: text,
    expiration: orNull(time),
    params: json,
    remaining: orNull(grantLimit),
  },
  groups: { proposal: (row) => String(row.proposal_id) },
})

export type ProposalGrantRow = RowOf<typeof proposalGrantTable>
