import type { VoteOption } from '../../../types/effects.ts'
import type { Reader } from '../../db.ts'
import { optional } from '../../sql/fragment.ts'
import type { OfAddress } from '../address/staking.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { type OwnedRow, ownedRows } from '../owner.ts'
import type { ValidatorRef } from '../validator.ts'
import type { ProposalStatus } from './proposal.ts'

/** Ids grow with the height, so the order by id is the order by time. */
export type VoteRow = {
  id: number
  height: number
  time: string
  option: VoteOption
  weight: string
  voter_id: number
  proposal_id: number
}

export type ProposalVoteFilter = {
  id: number
  limit: number
  offset: number
  cursor?: number | undefined
  option?: VoteOption[] | undefined
  voter?: 'address' | 'validator' | undefined
  /** id of the voting account */
  voter_id?: number | undefined
  validator_id?: number | undefined
}

export type ProposalVoteRow = VoteRow & { voter: AccountRef; validator: ValidatorRef | null }

export function listProposalVotes(sql: Reader, f: ProposalVoteFilter): Promise<ProposalVoteRow[]> {
  return sql<ProposalVoteRow[]>`
    with page as materialized (
      select v.*
      from vote v
      where v.proposal_id = ${f.id}
        ${optional`and v.id < ${f.cursor}`}
        ${f.option ? sql`and v.option = any(${f.option}::text[])` : sql``}
        ${f.voter === 'address' ? sql`and v.validator_id is null` : sql``}
        ${f.voter === 'validator' ? sql`and v.validator_id is not null` : sql``}
        ${optional`and v.voter_id = ${f.voter_id}`}
        ${optional`and v.validator_id = ${f.validator_id}`}
      order by v.id desc
      limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}
    )
    select page.id, page.height, page.time, page.option, trim_scale(page.weight) as weight, page.voter_id, page.proposal_id,
           json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as voter,
           case when v.id is not null then json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) end as validator
    from page
    join address a on a.id = page.voter_id
    ${PRIMARY_NAME}
    left join validator v on v.id = page.validator_id
    order by page.id desc`
}

export type AddressVoteRow = VoteRow & {
  validator: ValidatorRef | null
  proposal: [id: number, status: ProposalStatus, title: string, description: string]
}

export async function listAddressVotes(
  sql: Reader,
  f: OfAddress & { cursor?: number | undefined },
): Promise<AddressVoteRow[] | undefined> {
  const rows = await sql<OwnedRow<AddressVoteRow>[]>`
    select page.*
    from address owner
    left join lateral (
      select true as owned, o.id, o.height, o.time, o.option, trim_scale(o.weight) as weight, o.voter_id, o.proposal_id,
             case when v.id is not null then json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) end as validator,
             json_build_array(p.id, p.status, p.title, p.description) as proposal
      from (
        select v.*
        from vote v
        where v.voter_id = owner.id
          ${optional`and v.id < ${f.cursor}`}
        order by v.id desc
        limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}
      ) o
      join proposal p on p.id = o.proposal_id
      left join validator v on v.id = o.validator_id
    ) page on true
    where owner.address = ${f.address}
    order by page.id desc`
  return ownedRows(rows)
}

export type ValidatorVoteRow = VoteRow & { voter: AccountRef }

export function listValidatorVotes(
  sql: Reader,
  f: { id: number; limit: number; offset: number; cursor?: number | undefined },
): Promise<ValidatorVoteRow[]> {
  return sql<ValidatorVoteRow[]>`
    with page as materialized (
      select v.*
      from vote v
      where v.validator_id = ${f.id}
        ${optional`and v.id < ${f.cursor}`}
      order by v.id desc
      limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}
    )
    select page.id, page.height, page.time, page.option, trim_scale(page.weight) as weight, page.voter_id, page.proposal_id,
           json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as voter
    from page
    join address a on a.id = page.voter_id
    ${PRIMARY_NAME}
    order by page.id desc`
}
