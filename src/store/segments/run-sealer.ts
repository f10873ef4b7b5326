import type pg from 'pg'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { connectClient } from '../servers/connect.ts'
import { trySealLock } from '../servers/writer-lock.ts'
import { type HeightRange, removeOrphans, type SealOptions, sealNext } from './seal.ts'

export type SealerOptions = SealOptions & {
  url: string
  schema: string
  onSealed: (range: HeightRange) => void
  /** the bucket or the database is away; it is tried again */
  onError: (error: unknown) => void
  clock?: Clock
}

const EVERY_MS = 5000

/** Moves final heights into segments for as long as the indexer runs. One process of a network does it, the others stand by. */
export async function runSealer(options: SealerOptions, signal: AbortSignal): Promise<void> {
  const { onError, clock = systemClock } = options
  while (!signal.aborted) {
    await sealWhileLocked(options, signal).catch(onError)
    // Only an abort ends the sleep early.
    await clock.sleep(EVERY_MS, signal).catch(() => {})
  }
}

async function sealWhileLocked(options: SealerOptions, signal: AbortSignal): Promise<void> {
  const { url, schema, store, prefix, onSealed, clock = systemClock } = options
  const client = await openSealer(url, schema)
  try {
    if (!(await trySealLock(client, schema))) return
    await removeOrphans(client, store, prefix)
    while (!signal.aborted) {
      const sealed = await sealNext(client, options)
      if (sealed) onSealed(sealed)
      else await clock.sleep(EVERY_MS, signal).catch(() => {})
    }
  } finally {
    await client.end().catch(() => {})
  }
}

export async function openSealer(url: string, schema: string): Promise<pg.Client> {
  const client = await connectClient(url, { application_name: `astrolabe seal ${schema}`, connectionTimeoutMillis: 5000 })
  await client.query(`set search_path to "${schema}"`)
  return client
}
