import type { SqlPool } from '../db.ts'
import { keepLease, type Lease } from './lease.ts'

/** A block whose events may have been sent. */
type SentBlock = { height: number; hash: string }

/** Blocks that are kept: deeper than any fork that the indexer undoes by itself. */
export const SENT_BLOCKS = 2000

/** Ids that a `reverted` event names; who had more asks for the list of deliveries. */
const NAMED = 1000

export function listSentBlocks(sql: SqlPool, network: string): Promise<SentBlock[]> {
  return sql<SentBlock[]>`
    select height, encode(hash, 'hex') as hash from webhook_trail where network = ${network} order by height`
}

/** Writes the blocks before any of their events may be sent. Only the newest are kept. */
export async function addSentBlocks(sql: SqlPool, lease: Lease, blocks: readonly SentBlock[]): Promise<void> {
  const { network } = lease
  await sql.begin(async (tx) => {
    await keepLease(tx, lease)
    await tx`
      insert into webhook_trail (network, height, hash)
      select ${network}, b.height, decode(b.hash, 'hex')
      from unnest(${blocks.map(({ height }) => height)}::integer[], ${blocks.map(({ hash }) => hash)}::text[]) as b(height, hash)`
    await tx`
      delete from webhook_trail
      where network = ${network} and height <= (select max(height) from webhook_trail where network = ${network}) - ${SENT_BLOCKS}::integer`
  })
}

/**
 * Takes back what may have been sent of the heights above `common`: the events count as reverted, each subscription that had any is to
 * be told, and continues behind `common`. All of it or nothing.
 */
export async function revertSentBlocks(
  sql: SqlPool,
  lease: Lease,
  common: number,
  makeEventId: () => string,
): Promise<{ webhooks: number }> {
  const { network } = lease
  return sql.begin(async (tx) => {
    await keepLease(tx, lease)
    const reverted = await tx<{ webhook_id: string; ids: string[]; count: number }[]>`
      with gone as (
        update webhook_delivery d
        set state = 'reverted'
        from webhook w
        where w.id = d.webhook_id and w.network = ${network} and d.height > ${common} and d.data is null and d.state <> 'reverted'
        returning d.webhook_id, d.id, d.number
      )
      select webhook_id, (array_agg(id order by number))[1:${NAMED}::integer] as ids, count(*) as count
      from gone
      group by webhook_id`
    const notices = reverted.map(({ ids, count }) => JSON.stringify({ height: common, count, events: ids }))
    await tx`
      insert into webhook_delivery (webhook_id, id, epoch, type, height, position, data, state)
      select n.webhook_id, n.id, 0, 'reverted', ${common}, 0, n.data::jsonb, 'pending'
      from unnest(${reverted.map(({ webhook_id: id }) => id)}::text[], ${reverted.map(() => makeEventId())}::text[], ${notices}::text[])
           as n(webhook_id, id, data)`
    // Of all: a delivery may have passed over more heights than were written down, and no event of the old branch may begin any more.
    await tx`update webhook set height = least(height, ${common}), epoch = epoch + 1 where network = ${network}`
    await tx`delete from webhook_trail where network = ${network} and height > ${common}`
    return { webhooks: reverted.length }
  })
}
