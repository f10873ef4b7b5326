import type { Cause } from '../../../types/balance-change.ts'
import type { Reader } from '../../db.ts'
import type { ChangedPart } from '../../state/history-tables.ts'
import type { Fragment } from '../fragment.ts'
import { type Period, toTime } from '../stats/timeframe.ts'
import { hashTable } from '../tx/tx-id.ts'
import { type TypeFilter, withTypesOf } from './types-of.ts'

export type ChangeRow = {
  id: number
  height: number
  time: string
  /** null outside of txs, and for a tx of the genesis document, which has none */
  tx_hash: string | null
  part: ChangedPart
  cause: Cause
  denom: string
  amount: string
  balance: string
}

export type ChangeFilter = TypeFilter &
  Period & {
    addressId: number
    limit: number
    offset: number
    /** id of the last row already seen */
    cursor?: number | undefined
    sort: 'asc' | 'desc'
  }

/** Changes of one account, in the order of the chain or against it. */
export function listChanges(sql: Reader, f: ChangeFilter): Promise<ChangeRow[]> {
  return sql<ChangeRow[]>`
    ${withPageOfChanges(sql, f)}
    select ${changeColumns(sql)}
    from page
    ${joinChain(sql)}
    order by page.id ${f.sort === 'asc' ? sql`asc` : sql`desc`}`
}

export type StatementRow = ChangeRow & { price: string | null; value: string | null }

/** Changes with the price of the native token when they happened, and what they were worth. */
export function listStatement(sql: Reader, f: ChangeFilter): Promise<StatementRow[]> {
  return sql<StatementRow[]>`
    ${withPageOfChanges(sql, f)}
    select ${changeColumns(sql)}, trim_scale(p.close)::text as price, trim_scale(round(page.amount * p.close / 1000000, 6))::text as value
    from page
    ${joinChain(sql)}
    left join lateral (
      select close
      from (
        (select 1 as place, close from price where timeframe = '1h' and time <= b.time and time > b.time - interval '1 hour' order by time desc limit 1)
        union all
        (select 2, close from price where timeframe = '1d' and time <= b.time and time > b.time - interval '1 day' order by time desc limit 1)
      ) candle
      order by place
      limit 1
    ) p on page.denom = 'utia'
    order by page.id ${f.sort === 'asc' ? sql`asc` : sql`desc`}`
}

/**
 * `with …, page as (…)`: each type gives what it has at most of the page, and the first of all of them are taken. Rows that are skipped are
 * keys of an index; only those of the page are looked up.
 */
function withPageOfChanges(sql: Reader, f: ChangeFilter): Fragment {
  const dir = f.sort === 'asc' ? sql`asc` : sql`desc`
  const skipped = f.cursor === undefined ? f.offset : 0
  const beyond = f.sort === 'asc' ? sql`>` : sql`<`
  return sql`
    ${withTypesOf(sql, f.addressId, f)}, key as materialized (
      select c.id, t.id as type_id
      from type t
      cross join lateral (
        select id
        from balance_change
        where address_id = ${f.addressId} and type_id = t.id
          ${f.cursor === undefined ? sql`` : sql`and id ${beyond} ${f.cursor}`}
          ${f.from === undefined ? sql`` : sql`and id >= ${firstIdSince(sql, f.from)}`}
          ${f.to === undefined ? sql`` : sql`and id < ${firstIdSince(sql, f.to)}`}
        order by id ${dir}
        limit ${skipped + f.limit}
      ) c
      order by c.id ${dir}
      limit ${f.limit} offset ${skipped}
    ), page as materialized (
      select c.id, c.tx, c.amount, c.balance, t.part, t.cause, t.denom
      from key
      join type t on t.id = key.type_id
      join balance_change c on c.address_id = ${f.addressId} and c.type_id = key.type_id and c.id = key.id
    )`
}

/** The block and the tx of each row of `page`. */
function joinChain(sql: Reader): Fragment {
  return sql`
    join block b on b.height = (page.id >> 24)::integer
    left join ${hashTable(sql)} t on t.height = b.height and t.id = greatest(b.height::bigint << 24, 1) + page.tx`
}

function changeColumns(sql: Reader): Fragment {
  return sql`
    page.id, b.height, b.time, encode(t.hash, 'hex') as tx_hash, page.part, page.cause, page.denom,
    page.amount::text, page.balance::text`
}

/** Id with which the first block at or after a second begins; beyond all of them when there is none. */
function firstIdSince(sql: Reader, seconds: number): Fragment {
  return sql`coalesce((select b.height::bigint << 24 from block b where b.time >= ${toTime(seconds)} order by b.time limit 1), 1::bigint << 62)`
}
