import { computeBackoff } from '../../lib/backoff.ts'
import { systemClock } from '../../lib/clock.ts'

/** `delayMs`: until the next try; absent once the server is back. */
export type ServerLoss = { reason: string; delayMs?: number }

export type Restart = {
  spawn: () => Promise<void>
  isLeaving: () => boolean
  /** why the last try failed */
  explain: () => string
  tell: (what: ServerLoss) => void
}

const RESTART = { minMs: 200, maxMs: 10_000 }

/** Starts a server that ended by itself again, for as long as it takes: those who work with it wait for it. */
export async function restartServer({ spawn, isLeaving, explain, tell }: Restart): Promise<void> {
  for (let failures = 1, reason = 'it ended'; !isLeaving(); failures++) {
    const delayMs = Math.round(computeBackoff(failures, Math.random, RESTART))
    tell({ reason, delayMs })
    await systemClock.sleep(delayMs)
    if (isLeaving()) return
    try {
      await spawn()
      return tell({ reason: 'it was started again' })
    } catch {
      // Processes of a killed server may hold its memory for a moment; the server's log tells whatever else it is.
      reason = explain()
    }
  }
}
