import type { Json } from '../../types/effects.ts'
import type { TableDef } from './table.ts'

export type GrantRow = {
  id: number
  granter_id: number
  grantee_id: number
  authorization: string
  expiration: string | null
  params: Json
  revoked: boolean
  revoke_height: number | null
  height: number
  time: string
}

export const grantTable: TableDef<GrantRow> = {
  name: 'authz_grant',
  key: ['granter_id', 'grantee_id', 'authorization'],
  residence: 'keys',
  bornWith: 'address',
  columns: {
    id: 'int',
    granter_id: 'int',
    grantee_id: 'int',
    authorization: 'text',
    expiration: 'time',
    params: 'json',
    revoked: 'bool',
    revoke_height: 'int',
    height: 'int',
    time: 'time',
  },
}

export type ProposalGrantRow = {
  proposal_id: number
  position: number
  granter: string
  grantee: string
  authorization: string
  expiration: string | null
  params: Json
}

/** What open proposals would grant: the events of a proposal that passed do not tell the terms. Accounts are bytes, they need not exist yet. */
export const proposalGrantTable: TableDef<ProposalGrantRow> = {
  name: 'proposal_grant',
  key: ['proposal_id', 'position'],
  residence: 'all',
  columns: {
    proposal_id: 'int',
    position: 'int',
    granter: 'bytes',
    grantee: 'bytes',
    authorization: 'text',
    expiration: 'time',
    params: 'json',
  },
  groups: { proposal: (row) => String(row.proposal_id) },
}
