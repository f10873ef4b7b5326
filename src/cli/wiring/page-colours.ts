import type { PageColours } from '../../page/page.ts'
import type { Reader } from '../../store/db.ts'
import { listRollupColours } from '../../store/read/rollup/provider.ts'

/** The registry changes rarely, and every page of the site needs it. */
const KEPT_MS = 60_000

/** Gives the colours that rollups registered, read at most once a minute. */
export function keepPageColours(db: Reader): () => Promise<PageColours> {
  let readAt = Number.NEGATIVE_INFINITY
  let kept: Promise<PageColours> | undefined
  return () => {
    if (kept && Date.now() - readAt < KEPT_MS) return kept
    readAt = Date.now()
    kept = readColours(db)
    // What failed is read again by the next visitor.
    kept.catch(() => {
      kept = undefined
    })
    return kept
  }
}

async function readColours(db: Reader): Promise<PageColours> {
  const rows = await listRollupColours(db)
  return {
    namespaces: Object.fromEntries(rows.map(({ namespace, color }) => [namespace.toString('base64'), color])),
    rollups: Object.fromEntries(rows.map(({ name, color }) => [name, color])),
  }
}
