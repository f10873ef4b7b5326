import type { Reader } from '../../db.ts'

/** PFB txs of every listed rollup: the paid surface sorts rollups by it. */
export function listRollupPfbs(sql: Reader): Promise<{ rollup_id: number; pfb_count: number }[]> {
  return sql<{ rollup_id: number; pfb_count: number }[]>`
    select s.rollup_id, s.pfb_count
    from rollup_stats s
    join rollup r on r.id = s.rollup_id
    where r.verified`
}
