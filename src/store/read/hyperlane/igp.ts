import type { Reader } from '../../db.ts'
import { beyond, direction, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'

export type IgpConfigRow = { remote_domain: number; gas_overhead: string; gas_price: string; token_exchange_rate: string }

export type IgpRow = {
  number: number
  igp_id: string
  height: number
  time: string
  denom: string
  owner: AccountRef | null
  configs: IgpConfigRow[]
}

export type IgpFilter = { limit: number; offset: number; cursor?: number | undefined; sort: 'asc' | 'desc' }

export function listIgps(sql: Reader, f: IgpFilter): Promise<IgpRow[]> {
  return sql<IgpRow[]>`
    select ${igpColumns(sql)}
    from hl_igp g
    ${igpJoins(sql)}
    ${optional`where g.number ${beyond(f.sort)} ${f.cursor}::bigint`}
    order by g.number ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}

export async function findIgp(sql: Reader, igpId: string): Promise<IgpRow | undefined> {
  const [row] = await sql<IgpRow[]>`
    select ${igpColumns(sql)}
    from hl_igp g
    ${igpJoins(sql)}
    where g.igp_id = ${igpId}`
  return row
}

function igpColumns(sql: Reader) {
  return sql`
    g.number, g.igp_id, g.height, g.time, g.denom,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as owner,
    coalesce((
      select json_agg(json_build_object(
               'remote_domain', f.remote_domain, 'gas_overhead', f.gas_overhead::text,
               'gas_price', f.gas_price::text, 'token_exchange_rate', f.token_exchange_rate) order by f.remote_domain)
      from hl_igp_config f
      where f.igp_id = g.igp_id
    ), '[]') as configs`
}

function igpJoins(sql: Reader) {
  return sql`
    left join address a on a.id = g.owner_id
    ${PRIMARY_NAME}`
}
