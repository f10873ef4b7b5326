import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Random } from '../../lib/random.ts'
import { type Db, snapshot } from '../db.ts'
import { findHead } from '../read/head/head.ts'
import { type AuditStep, sampleIndex } from './audit.ts'
import type { HeightRange } from './check.ts'

export type SamplerOptions = {
  db: Db
  everyMs: number
  onViolation: (step: AuditStep, heights: HeightRange) => void
  /** a sample is complete; the names of the checks that failed */
  onSample?: (heights: HeightRange, violations: string[]) => void
  /** the database is away or too slow for a sample now */
  onError: (error: unknown) => void
  random?: Random
  clock?: Clock
}

/** Heights of one sample. */
const HEIGHTS = 100

/**
 * Samples the invariants (docs/invariants.md): over the newest heights, and every other time over some anywhere in the chain. It only
 * reads, in one snapshot; its failures do not stop the indexer.
 */
export async function runSampler(
  { db, everyMs, onViolation, onSample, onError, random = Math.random, clock = systemClock }: SamplerOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    // Only an abort ends the sleep early.
    await clock.sleep(everyMs, signal).catch(() => {})
    if (signal.aborted) return
    try {
      await snapshot(db, async (sql) => {
        const head = await findHead(sql)
        if (!head) return
        const { last_height: last, layout } = head
        const first = Math.max(head.first_height, layout?.kept_from ?? 0)
        const to = round % 2 === 0 ? last : Math.min(last, first + HEIGHTS + Math.floor(random() * (last - first)))
        const heights = { from: Math.max(first, to - HEIGHTS + 1), to }
        const failed: string[] = []
        for await (const step of sampleIndex(sql, heights)) {
          if (step.violations.length === 0) continue
          failed.push(step.name)
          onViolation(step, heights)
        }
        onSample?.(heights, failed)
      })
    } catch (error) {
      onError(error)
    }
  }
}
