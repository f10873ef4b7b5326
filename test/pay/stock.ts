import { HeadWatch } from '../../src/api/head-watch.ts'
import type { ApiContext } from '../../src/api/route.ts'
import type { SoldGroup } from '../../src/config/paid-schema.ts'
import { createLookup, type Lookup } from '../../src/operations/lookup.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { openOperations } from '../../src/operations/serve-operations.ts'
import { openReader } from '../../src/store/db.ts'
import { SCHEMA } from '../support/templates.ts'
import type { Bed } from './bed.ts'

export type StockOptions = {
  /** an indexed database */
  url: string
  chainId: string
  sells: readonly SoldGroup[]
  blocks?: ApiContext['blocks']
}

/** Operations over an indexed chain, for a paid server of the bed; closed with it. */
export async function openStock(
  { onStop }: Bed,
  { url, chainId, sells, blocks = { read: async () => undefined } }: StockOptions,
): Promise<{ lookup: Lookup; operations: readonly Operation[] }> {
  const db = openReader({ url, schema: SCHEMA, max: 4 })
  const watch = new HeadWatch(db, { schema: SCHEMA })
  await watch.start()
  const network = { name: 'main', chainId, kind: 'main' } as const
  const ctx = { network, db, watch, head: () => watch.head, blocks, now: () => Date.now() }
  const operations = openOperations(ctx, { sells })
  onStop(async () => {
    operations.close()
    await watch.stop()
    await db.end()
  })
  return { lookup: createLookup(operations), operations: operations.items }
}
