import type { Static } from 'typebox'
import type { RollupRow, RollupWithStatsRow } from '../../store/read/rollup/list.ts'
import type { Rollup, RollupWithStats } from '../schema/rollup.ts'

/** Texts and lists that were not given are left out. */
export function toRollup(row: RollupRow): Static<typeof Rollup> {
  return {
    id: row.id,
    name: row.name,
    description: row.description || undefined,
    website: row.website || undefined,
    twitter: row.twitter || undefined,
    github: row.github || undefined,
    logo: row.logo || undefined,
    slug: row.slug,
    l2_beat: row.l2_beat || undefined,
    defi_lama: row.defi_lama || undefined,
    explorer: row.explorer || undefined,
    bridge: row.bridge || undefined,
    stack: row.stack || undefined,
    type: row.type,
    category: row.category,
    provider: row.provider || undefined,
    compression: row.compression || undefined,
    vm: row.vm || undefined,
    settled_on: row.settled_on || undefined,
    color: row.color || undefined,
    tags: row.tags.length > 0 ? row.tags : undefined,
    links: row.links.length > 0 ? row.links : undefined,
  }
}

export function toRollupWithStats(row: RollupWithStatsRow): Static<typeof RollupWithStats> {
  return {
    ...toRollup(row),
    blobs_count: row.blobs_count,
    size: row.size,
    last_message_time: row.last_message_time,
    first_message_time: row.first_message_time,
    fee: row.fee,
    size_pct: row.size_pct,
    fee_pct: row.fee_pct,
    blobs_count_pct: row.blobs_count_pct,
    da_pct: row.da_pct,
    is_active: row.is_active,
  }
}
