import type { Reader } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'
import { contains } from './search.ts'

/** Kinds of things that a text search finds beside those with a row of their own in lists of search results. */
export type RecordType = 'proposal' | 'ibc_client' | 'ibc_channel' | 'hyperlane_domain' | 'upgrade'

/** `id` as the operation that reads the thing takes it. */
export type RecordRow = { type: RecordType; id: string; name: string; detail: string }

const PROPOSAL = /^(?:proposal\s*)?#?(\d{1,9})$/i
const UPGRADE = /^(?:v|version\s*|upgrade\s*)?(\d{1,9})$/i

/**
 * Proposals by number and title, clients and channels of IBC by id and chain, domains of Hyperlane by number and name, upgrades by version.
 * A bare number is a number of something, never a part of a name. All these tables are small.
 */
export function searchRecords(sql: Reader, text: string, limit: number): Promise<RecordRow[]> {
  const proposal = PROPOSAL.exec(text)?.[1] ?? null
  const version = UPGRADE.exec(text)?.[1] ?? null
  const isWord = !/^\d+$/.test(text)
  const named = (column: Fragment) => sql`(${isWord}::boolean and ${contains(sql, column, text)})`
  return sql<RecordRow[]>`
    (select 'proposal' as type, p.id::text as id, p.title as name, p.status as detail
     from proposal p
     where p.id = ${proposal}::int or ${named(sql`p.title`)}
     order by p.id desc limit ${limit})
    union all
    (select 'ibc_client', i.client_id, i.chain_id, i.type
     from ibc_client i
     where ${named(sql`i.client_id`)} or ${named(sql`i.chain_id`)}
     order by i.number limit ${limit})
    union all
    (select 'ibc_channel', h.channel_id, coalesce(i.chain_id, ''), h.status
     from ibc_channel h
     left join ibc_client i on i.client_id = h.client_id
     where ${named(sql`h.channel_id`)} or ${named(sql`i.chain_id`)}
     order by h.number limit ${limit})
    union all
    (select 'hyperlane_domain', d.domain, coalesce(d.name, 'domain ' || d.domain), ''
     from (
       select b.domain, r.document -> b.domain ->> 'name' as name
       from (select distinct domain from hl_bucket where frame = 3) b
       left join registry r on r.name = 'hyperlane'
     ) d
     where d.domain = ${text} or ${named(sql`d.name`)}
     order by d.domain limit ${limit})
    union all
    (select 'upgrade', u.version::text, 'Version ' || u.version, u.status
     from upgrade u
     where u.version = ${version}::bigint
     order by u.version)
    limit ${limit}`
}
