import type { Reader } from '../../db.ts'
import type { RollupRow } from './list.ts'

/** Entries that wait for an operator, oldest first. */
export function listUnverified(sql: Reader): Promise<RollupRow[]> {
  return sql<RollupRow[]>`
    select id, name, slug, description, website, github, twitter, logo, l2_beat, defi_lama, bridge, explorer, stack, compression,
           provider, vm, settled_on, color, type, category, tags, links
    from rollup
    where not verified and id not in (select rollup_id from rollup_fill)
    order by id`
}
