import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { rebuildRecords } from '../../pipeline/rebuild-segment.ts'
import type { Violation } from '../../store/audit/check.ts'
import type { Reader } from '../../store/db.ts'
import { type BadSegment, findBadSegments, findUncovered, hashAt, replaceSegment } from '../../store/segments/repair.ts'
import { openSealer } from '../../store/segments/run-sealer.ts'
import { segmentStoreOf } from '../wiring/segments.ts'
import { openSource } from '../wiring/source.ts'

const INVARIANT = 'I16'
const CHECK = 'segments'

/** Reads every segment; those that are missing or damaged are made again from a node when `repair` says so. */
export async function auditSegments(
  config: Config,
  network: NetworkConfig,
  sql: Reader,
  repair?: { url: string; onRepaired: (key: string) => void },
): Promise<{ invariant: string; name: string; violations: Violation[] }> {
  const details = await findUncovered(sql)
  const place = segmentStoreOf(config, network)
  if (place)
    for await (const bad of findBadSegments(sql, place.store)) {
      if (repair) repair.onRepaired(await repairSegment(network, repair.url, place, bad))
      else details.push(`${bad.detail}: \`astrolabe audit --repair\` makes it again from a node`)
    }
  return {
    invariant: INVARIANT,
    name: CHECK,
    violations: details.map((detail) => ({ invariant: INVARIANT, check: CHECK, detail })),
  }
}

async function repairSegment(
  network: NetworkConfig,
  url: string,
  place: NonNullable<ReturnType<typeof segmentStoreOf>>,
  { first_height: first, last_height: last }: BadSegment,
): Promise<string> {
  const source = await openSource(network)
  const client = await openSealer(url, schemaOf(network))
  const { signal } = new AbortController()
  try {
    const { chainId } = await source.head(signal)
    const range = { first, last }
    const records = await rebuildRecords({ source, chainId, hashAt: (height) => hashAt(client, height) }, range, signal)
    return await replaceSegment(client, place, range, records)
  } finally {
    await client.end()
    await source.close()
  }
}
