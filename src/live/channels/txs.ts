import type { HeadWatch } from '../../api/head-watch.ts'
import { decodeAccount } from '../../lib/bech32.ts'
import type { Db } from '../../store/db.ts'
import { listTxsOfAddresses, listTxsOfNamespaces } from '../../store/read/tx-links.ts'
import type { Bodies } from '../bodies.ts'
import type { Filters } from '../protocol.ts'
import type { HeightFeed } from './feed.ts'
import { type ListEntry, openListFeed } from './list.ts'

/** `owners`: which of the addresses and namespaces that were looked up are linked to the tx. */
type TxFacts = { id: number; signers: string[]; owners: Set<string>; lookedUp: Set<string> }

const isLinked = ({ owners }: TxFacts, wanted: readonly string[] | undefined) =>
  wanted === undefined || wanted.some((owner) => owners.has(owner))

/** Txs as `/v1/tx?height=` lists them. `address` is any address that one of the messages names. */
export function openTxsFeed(bodies: Bodies, watch: HeadWatch, db: Db): HeightFeed {
  return openListFeed<TxFacts>(
    {
      name: 'txs',
      async read(height) {
        const lookedUp = new Set<string>()
        return (await bodies.txs(height)).map((row) => ({
          row,
          facts: { id: Number(row.id), signers: signersOf(row), owners: new Set(), lookedUp },
        }))
      },
      matches: (facts, { signers, addresses, namespaces }) =>
        (signers === undefined || signers.some((signer) => facts.signers.includes(signer))) &&
        isLinked(facts, addresses) &&
        isLinked(facts, namespaces),
      isPrepared: ([first], filters) => !first || ownersOf(filters).every((owner) => first.facts.lookedUp.has(owner)),
      prepare: (height, entries, filters) => lookUp(db, height, entries, filters),
    },
    watch,
  )
}

/** Link tables are ordered by owner, so one height of a few owners is quick to find, and only that is. */
async function lookUp(
  db: Db,
  height: number,
  entries: readonly ListEntry<TxFacts>[],
  filters: readonly Filters[],
): Promise<void> {
  const addresses = [...new Set(filters.flatMap((each) => each.addresses ?? []))]
  const namespaces = [...new Set(filters.flatMap((each) => each.namespaces ?? []))]
  const [ofAddresses, ofNamespaces] = await Promise.all([
    addresses.length === 0 ? [] : listTxsOfAddresses(db, height, addresses),
    namespaces.length === 0 ? [] : listTxsOfNamespaces(db, height, namespaces),
  ])
  const byId = new Map(entries.map(({ facts }) => [facts.id, facts]))
  for (const { tx_id, owner } of [...ofAddresses, ...ofNamespaces]) byId.get(tx_id)?.owners.add(owner)
  for (const owner of [...addresses, ...namespaces]) entries[0]?.facts.lookedUp.add(owner)
}

function ownersOf({ addresses = [], namespaces = [] }: Filters): string[] {
  return [...addresses, ...namespaces]
}

function signersOf(row: Record<string, unknown>): string[] {
  const { signers = [] } = row as { signers?: { hash?: string }[] }
  return signers.map(({ hash = '' }) => decodeAccount(hash) ?? '')
}
