import type pg from 'pg'
import type { PackedBlock } from '../pack/packed-block.ts'
import { countCommit } from '../servers/head-notice.ts'
import { rollupStatsTable } from '../state/rollup-tables.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, Family } from './family.ts'

/** A provider of a verified rollup; null means any. Lower-case hex. */
export type RollupProvider = { rollupId: number; address: string | null; namespace: string | null }

/** Which rollups a blob belongs to. Rebuilt whenever the registry changes. */
export class RollupRegistry {
  readonly version: number
  /** how many providers it knows */
  readonly size: number
  readonly #byPair = new Map<string, Set<number>>()

  constructor(version: number, providers: RollupProvider[]) {
    this.version = version
    this.size = providers.length
    for (const { rollupId, address, namespace } of providers) {
      const key = `${address ?? '*'}/${namespace ?? '*'}`
      const rollups = this.#byPair.get(key)
      if (rollups) rollups.add(rollupId)
      else this.#byPair.set(key, new Set([rollupId]))
    }
  }

  /** Ascending, each once even when two providers match. */
  match(address: string, namespace: string): number[] {
    if (this.#byPair.size === 0) return []
    const found = new Set<number>()
    for (const key of [`${address}/${namespace}`, `${address}/*`, `*/${namespace}`])
      for (const rollup of this.#byPair.get(key) ?? []) found.add(rollup)
    return [...found].sort((a, b) => a - b)
  }
}

/** Links blobs to verified rollups and keeps the rollups' totals. */
export function createRollupsFamily(state: State, registry: () => RollupRegistry): Family {
  const stats = state.table(rollupStatsTable)
  return {
    apply(input: BlockInput) {
      const { block, rows, firstId, time } = input
      const links = linkBlobs(block, registry())
      input.rollupLinks = links
      const counted = new Set<string>()
      for (const [rollupId, index] of links) {
        const blob = block.blobs[index]!
        rows.row('blob_rollup', { rollup_id: rollupId, blob_id: firstId + index, size: blob.size })
        const row =
          stats.edit(rollupId) ??
          stats.insert({
            rollup_id: rollupId,
            blobs_count: 0,
            size: 0,
            fee: 0n,
            pfb_count: 0,
            first_message_time: time,
            last_message_time: time,
          })
        row.blobs_count++
        row.size += blob.size
        row.fee += blob.fee
        row.last_message_time = time
        const pfb = `${rollupId}:${blob.message}`
        if (!counted.has(pfb)) row.pfb_count++
        counted.add(pfb)
      }
    },
  }
}

function linkBlobs(block: PackedBlock, registry: RollupRegistry): [number, number][] {
  return block.blobs.flatMap((blob, index) =>
    registry
      .match(block.addresses[blob.signer]!, block.namespaces[blob.namespace]!)
      .map((rollup): [number, number] => [rollup, index]),
  )
}

/** Which blobs belong to whom, as it is now; `version` is that of the head row. */
export async function readVerified(client: pg.ClientBase, version = 0): Promise<RollupRegistry> {
  const { rows } = await client.query<RollupProvider>(
    `select p.rollup_id as "rollupId", encode(p.address, 'hex') as address, encode(p.namespace, 'hex') as namespace
     from rollup_provider p join rollup r on r.id = p.rollup_id where r.verified`,
  )
  return new RollupRegistry(version, rows)
}

/** The version moves with every change: API processes drop what they kept, the writer starts over. */
export async function announceRegistry(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query('update head set registry_version = registry_version + 1')
  await countCommit(client, schema)
}
