import type { Reader } from '../db.ts'
import { Fragment } from '../sql/fragment.ts'

/**
 * An account as lists show it: address bytes as hex, its primary name and that name's image. Queries build it with
 * `json_build_array(encode(a.address, 'hex'), c.id, c.image_url)` over `PRIMARY_NAME`.
 */
export type AccountRef = [address: string, name: string | null, imageUrl: string | null]

/** Joins the primary name of the addresses of `account`, if they have one, as `name`. */
export const primaryName = (account: string, name: string): Fragment =>
  new Fragment([`left join celestial ${name} on ${name}.address = ${account}.address and ${name}.status = 'PRIMARY'`], [])

export const PRIMARY_NAME = primaryName('a', 'c')

export type CelestialRow = { name: string; image_url: string; status: 'NOT_VERIFIED' | 'VERIFIED' | 'PRIMARY' }

/** Names of an address, last changed first; all of them when there is no limit. */
export function listCelestials(sql: Reader, f: { address: Uint8Array; limit?: number; offset: number }): Promise<CelestialRow[]> {
  return sql<CelestialRow[]>`
    select c.id as name, c.image_url, c.status
    from celestial c
    where c.address = ${f.address}
    order by c.change_id desc, c.id desc
    limit ${f.limit ?? null} offset ${f.offset}`
}
