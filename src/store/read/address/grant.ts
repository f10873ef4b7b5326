import type { GrantLimit, Json } from '../../../types/effects.ts'
import type { Reader } from '../../db.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { type OwnedRow, ownedRows } from '../owner.ts'
import type { OfAddress } from './staking.ts'

export type GrantRow = {
  authorization: string
  expiration: string | null
  revoked: boolean
  revoke_height: number | null
  height: number
  time: string
  params: Json
  remaining: GrantLimit | null
  /** the other side: the grantee of grants made, the granter of grants received */
  other: AccountRef
}

/** `made`: the address is the granter. `received`: it is the grantee. */
export async function listGrants(sql: Reader, f: OfAddress & { side: 'made' | 'received' }): Promise<GrantRow[] | undefined> {
  const mine = f.side === 'made' ? sql`g.granter_id` : sql`g.grantee_id`
  const theirs = f.side === 'made' ? sql`g.grantee_id` : sql`g.granter_id`
  const rows = await sql<OwnedRow<GrantRow>[]>`
    select page.*
    from address owner
    left join lateral (
      select true as owned, g.id, g."authorization", g.expiration, g.revoked, g.revoke_height, g.height, g.time, g.params, g.remaining,
             json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as other
      from (
        select *
        from authz_grant g
        where ${mine} = owner.id
        order by g.id desc
        limit ${f.limit} offset ${f.offset}
      ) g
      join address a on a.id = ${theirs}
      ${PRIMARY_NAME}
    ) page on true
    where owner.address = ${f.address}
    order by page.id desc`
  return ownedRows(rows)
}
