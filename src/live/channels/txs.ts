import type { HeadWatch } from '../../api/head-watch.ts'
import { isLookedUp, lookUpOwners, matchesTx, type TxFacts, txFactsOf } from '../../api/match/tx.ts'
import type { Db } from '../../store/db.ts'
import type { Bodies } from '../bodies.ts'
import type { HeightFeed } from './feed.ts'
import { type ListEntry, openListFeed } from './list.ts'

const allFacts = (entries: readonly ListEntry<TxFacts>[]) => entries.map(({ facts }) => facts)

/** Txs as `/v1/tx?height=` lists them. */
export function openTxsFeed(bodies: Bodies, watch: HeadWatch, db: Db): HeightFeed {
  return openListFeed<TxFacts>(
    {
      name: 'txs',
      async read(height) {
        const rows = await bodies.txs(height)
        const facts = txFactsOf(rows)
        return rows.map((row, i) => ({ row, facts: facts[i]! }))
      },
      matches: matchesTx,
      isPrepared: (entries, filters) => isLookedUp(allFacts(entries), filters),
      prepare: (height, entries, filters) => lookUpOwners(db, height, allFacts(entries), filters),
    },
    watch,
  )
}
