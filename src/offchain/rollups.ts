import { Transient } from '../lib/errors.ts'
import type { SqlPool } from '../store/db.ts'
import { type KnownRollup, readKnownRollups } from '../store/offchain/state.ts'
import { editRegistry } from '../store/rollups/edit-rollups.ts'
import { BadEntry, LIST_FIELDS, type RollupEntry, type RollupFields, slugOf, TEXT_FIELDS } from '../store/rollups/entry.ts'

const MAX_ENTRIES = 10_000

export function parseRollups(document: unknown): RollupEntry[] {
  if (!Array.isArray(document) || document.length > MAX_ENTRIES)
    throw new Transient('source_implausible', 'the source gave no list of rollups')
  for (const item of document) {
    const { name, providers } = (item ?? {}) as { name?: unknown; providers?: unknown }
    if (typeof name !== 'string' || slugOf(name) === '' || !Array.isArray(providers))
      throw new Transient('source_implausible', 'the source gave a rollup without name or providers')
  }
  return document as RollupEntry[]
}

/**
 * New rollups are added, texts of known ones follow the source. Which blobs belong to a rollup and whether it is verified is the
 * operator's to say: a source on the network may only propose.
 */
export async function saveRollups(
  sql: SqlPool,
  target: { url: string; schema: string },
  entries: readonly RollupEntry[],
  { isOwn }: { isOwn: boolean },
): Promise<boolean> {
  const known = await readKnownRollups(sql)
  const fresh = entries.filter(({ name }) => !known.has(slugOf(name)))
  const changed = entries.flatMap((entry) => {
    const row = known.get(slugOf(entry.name))
    const fields = row && differences(entry, row)
    return fields ? [{ id: row.id, fields }] : []
  })
  if (fresh.length === 0 && changed.length === 0) return false
  try {
    await editRegistry(target.url, target.schema, async (registry) => {
      // Two of one name in a file, or one that came in meanwhile.
      for (const entry of fresh)
        if (!(await registry.findBySlug(entry.name))) await registry.create(entry, isOwn && entry.verified === true)
      for (const { id, fields } of changed) await registry.update(id, fields, { keepsVerified: true })
    })
  } catch (error) {
    if (error instanceof BadEntry) throw new Transient('source_implausible', error.message, {}, error)
    throw error
  }
  return true
}

function differences(entry: RollupEntry, row: KnownRollup): RollupFields | undefined {
  const fields: RollupFields = {}
  for (const field of TEXT_FIELDS) {
    const value = entry[field]
    if (typeof value === 'string' && value !== '' && value !== row[field]) fields[field] = value
  }
  for (const field of LIST_FIELDS) {
    const value = entry[field]
    if (Array.isArray(value) && value.length > 0 && JSON.stringify(value) !== JSON.stringify(row[field])) fields[field] = value
  }
  return Object.keys(fields).length > 0 ? fields : undefined
}
