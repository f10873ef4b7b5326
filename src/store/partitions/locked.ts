import type pg from 'pg'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { inTransaction } from '../servers/transaction.ts'

/** Readers give up after a second of waiting, and PostgreSQL looks for deadlocks after one: whoever locks whole tables gives up first. */
const LOCK_MS = 700
const PAUSE_MS = 300

/** A transaction that needs tables for itself alone, for a moment. It steps back and tries again while others use them. */
export async function inLockedTransaction<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  { signal, clock = systemClock }: { signal: AbortSignal; clock?: Clock },
): Promise<T> {
  for (;;)
    try {
      return await inTransaction(client, async () => {
        await client.query(`set local lock_timeout to ${LOCK_MS}`)
        return work()
      })
    } catch (error) {
      if (!['55P03', '40P01'].includes((error as { code?: string }).code ?? '')) throw error
      await clock.sleep(PAUSE_MS, signal)
    }
}
