import type { Json } from '../../../types/effects.ts'
import type { Reader } from '../../db.ts'
import { beyond, direction, type Fragment, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'

/** Voting power is stake in whole TIA. */
const UTIA_PER_POWER = 1_000_000

export type ProposalStatus = 'inactive' | 'active' | 'removed' | 'applied' | 'rejected' | 'failed'
export type ProposalType = 'param_changed' | 'text' | 'client_update' | 'community_pool_spend'

export type ProposalRow = {
  id: number
  height: number
  created_at: string
  deposit_time: string
  activation_time: string | null
  end_time: string | null
  status: ProposalStatus
  type: ProposalType
  title: string
  description: string
  deposit: string
  metadata: string
  votes_count: number
  yes: number
  no: number
  no_with_veto: number
  abstain: number
  yes_vals: number
  no_vals: number
  no_with_veto_vals: number
  abstain_vals: number
  yes_addrs: number
  no_addrs: number
  no_with_veto_addrs: number
  abstain_addrs: number
  total_voting_power: string | null
  voting_power: string
  yes_voting_power: string
  no_voting_power: string
  no_with_veto_voting_power: string
  abstain_voting_power: string
  bonded_stake: string | null
  quorum: string | null
  veto_quorum: string | null
  threshold: string | null
  min_deposit: string | null
  error: string | null
  changes: Json
  proposer: AccountRef | null
}

export type ProposalFilter = {
  limit: number
  offset: number
  cursor?: number | undefined
  sort: 'asc' | 'desc'
  status?: ProposalStatus[] | undefined
  type?: ProposalType[] | undefined
  proposer?: Uint8Array | undefined
}

export function listProposals(sql: Reader, f: ProposalFilter): Promise<ProposalRow[]> {
  return sql<ProposalRow[]>`
    select ${proposalColumns(sql)}
    from proposal p
    left join address a on a.id = p.proposer_id
    ${PRIMARY_NAME}
    where true
      ${optional`and p.id ${beyond(f.sort)} ${f.cursor}::bigint`}
      ${f.status ? sql`and p.status = any(${f.status}::text[])` : sql``}
      ${f.type ? sql`and p.type = any(${f.type}::text[])` : sql``}
      ${f.proposer ? sql`and a.address = ${f.proposer}` : sql``}
    order by p.id ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}

export async function findProposal(sql: Reader, id: number): Promise<ProposalRow | undefined> {
  const [row] = await sql<ProposalRow[]>`
    select ${proposalColumns(sql)}
    from proposal p
    left join address a on a.id = p.proposer_id
    ${PRIMARY_NAME}
    where p.id = ${id}`
  return row
}

function proposalColumns(sql: Reader) {
  return sql`
    p.id, p.height, p.created_at, p.deposit_time, p.activation_time, p.end_time, p.status, p.type, p.title, p.description, p.deposit,
    p.metadata, p.votes_count, p.yes, p.no, p.no_with_veto, p.abstain, p.yes_vals, p.no_vals, p.no_with_veto_vals, p.abstain_vals,
    p.yes_addrs, p.no_addrs, p.no_with_veto_addrs, p.abstain_addrs, p.total_voting_power, p.voting_power, p.yes_voting_power,
    p.no_voting_power, p.no_with_veto_voting_power, p.abstain_voting_power,
    ${rule(sql, sql`p.quorum`, sql`'quorum'`)} as quorum, ${rule(sql, sql`p.veto_quorum`, sql`'veto_threshold'`)} as veto_quorum,
    ${rule(sql, sql`p.threshold`, sql`case when p.expedited then 'expedited_threshold' else 'threshold' end`)} as threshold, p.min_deposit,
    p.error, p.changes,
    coalesce(p.total_voting_power, case when p.status = 'active' then (select h.total_voting_power from head h) end) * ${UTIA_PER_POWER}::bigint
      as bonded_stake,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as proposer`
}

/** The rule that the vote was judged by; while it continues, the one that holds now. */
function rule(sql: Reader, kept: Fragment, name: Fragment): Fragment {
  return sql`coalesce(${kept}, case when p.status = 'active' then (
      select trim_scale(c.value::numeric)::text from constant c where c.module = 'gov' and c.name = ${name}
    ) end)`
}
