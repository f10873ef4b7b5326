import type { Reader } from '../../db.ts'
import { direction, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { type NumberedPage, orderNumbered } from '../numbered.ts'
import { withinIds } from '../tx/tx.ts'
import { hashTable } from '../tx/tx-id.ts'
import type { JailRow, ValidatorRef } from '../validator.ts'
import type { ProposalStatus } from './proposal.ts'

export type SignalRow = {
  id: number
  height: number
  time: string
  voting_power: string
  version: number
  tx_hash: string | null
  validator: ValidatorRef | null
}

export type SignalFilter = NumberedPage & {
  version?: number | undefined
  validator_id?: number | undefined
  tx_ids?: number[] | undefined
  from?: number | undefined
  to?: number | undefined
}

export function listSignals(sql: Reader, f: SignalFilter): Promise<SignalRow[]> {
  const { order, after, offset } = orderNumbered(sql, f, f.validator_id !== undefined)
  return sql<SignalRow[]>`
    with page as materialized (
      select r.height, r.id
      from signal_version r
      where true
        ${after}
        ${optional`and r.version = ${f.version}`}
        ${optional`and r.validator_id = ${f.validator_id}`}
        ${f.tx_ids ? sql`and r.tx_id = any(${f.tx_ids}::bigint[])` : sql``}
        ${withinIds(sql, { ...f, cursor: undefined }, sql`r.id`)}
      order by ${order}
      limit ${f.limit} offset ${offset}
    )
    select r.id, r.height, r.time, r.voting_power, r.version, encode(t.hash, 'hex') as tx_hash,
           case when v.id is not null then json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) end as validator
    from page
    join signal_version r on r.height = page.height and r.id = page.id
    left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
    left join validator v on v.id = r.validator_id
    order by ${order}`
}

export type UpgradeRow = {
  version: number
  height: number
  time: string
  end_height: number | null
  end_time: string | null
  applied_at_level: number | null
  applied_at: string | null
  message_id: number | null
  tx_hash: string | null
  voting_power: string
  voted_power: string
  signals_count: number
  status: 'processing' | 'applied' | 'waiting_upgrade'
  signer: AccountRef | null
}

export type UpgradeFilter = {
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  height?: number | undefined
  tx_ids?: number[] | undefined
  signer_id?: number | undefined
}

export function listUpgrades(sql: Reader, f: UpgradeFilter): Promise<UpgradeRow[]> {
  return sql<UpgradeRow[]>`
    select ${upgradeColumns(sql)}
    from upgrade u
    ${upgradeJoins(sql)}
    where true
      ${optional`and u.height = ${f.height}`}
      ${f.tx_ids ? sql`and u.tx_id = any(${f.tx_ids}::bigint[])` : sql``}
      ${optional`and u.signer_id = ${f.signer_id}`}
    order by u.version ${direction(f.sort)}
    limit ${f.limit} offset ${f.offset}`
}

export async function findUpgrade(sql: Reader, version: number): Promise<UpgradeRow | undefined> {
  const [row] = await sql<UpgradeRow[]>`
    select ${upgradeColumns(sql)}
    from upgrade u
    ${upgradeJoins(sql)}
    where u.version = ${version}`
  return row
}

function upgradeColumns(sql: Reader) {
  return sql`
    u.version, u.height, u.time, u.end_height, u.end_time, u.applied_at_level, u.applied_at, u.message_id,
    encode(t.hash, 'hex') as tx_hash, u.voting_power, u.voted_power, u.signals_count, u.status,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as signer`
}

/** The tx is that of the try-upgrade, which ends the signalling. */
function upgradeJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = u.end_height and t.id = u.tx_id
    left join address a on a.id = u.signer_id
    ${PRIMARY_NAME}`
}

export type ProposalStateRow = { id: number; proposal_id: number; status: ProposalStatus }

/** Proposals that got another state at a height, in order. */
export function listProposalStates(sql: Reader, height: number): Promise<ProposalStateRow[]> {
  return sql<ProposalStateRow[]>`
    select s.id, s.proposal_id, s.status from proposal_state s where s.height = ${height} order by s.id`
}

export type ValidatorStateRow = { id: number; validator_id: number; jailed: boolean }

/** Validators that were jailed or released at a height, in order. */
export function listValidatorStates(sql: Reader, height: number): Promise<ValidatorStateRow[]> {
  return sql<ValidatorStateRow[]>`
    select s.id, s.validator_id, s.jailed from validator_state s where s.height = ${height} order by s.id`
}

export type SlashRow = JailRow & { id: number; validator: ValidatorRef }

/** Validators that were slashed at a height, in order. */
export function listSlashes(sql: Reader, height: number): Promise<SlashRow[]> {
  return sql<SlashRow[]>`
    select j.id, j.height, j.time, j.reason, j.burned, json_build_array(v.id, encode(v.cons_address, 'hex'), v.moniker) as validator
    from jail j
    join validator v on v.id = j.validator_id
    where j.height = ${height}
    order by j.id`
}
