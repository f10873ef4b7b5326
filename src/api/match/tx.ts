import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Db } from '../../store/db.ts'
import { listTxsOfAddresses, listTxsOfNamespaces } from '../../store/read/tx/tx.ts'
import type { OwnerFilter } from './filter.ts'

/** `owners`: which of the addresses and namespaces that were looked up are linked to the tx. */
export type TxFacts = { id: number; signers: string[]; owners: Set<string>; lookedUp: Set<string> }

/** Facts that filters compare, from txs of one height as `/v1/tx` lists them. */
export function txFactsOf(rows: readonly Record<string, unknown>[]): TxFacts[] {
  const lookedUp = new Set<string>()
  return rows.map((row) => ({ id: Number(row.id), signers: signersOf(row), owners: new Set(), lookedUp }))
}

/** An address is any that one of the messages names. */
export function matchesTx(facts: TxFacts, { signers, addresses, namespaces }: OwnerFilter): boolean {
  const isLinked = (wanted: readonly string[] | undefined) =>
    wanted === undefined || wanted.some((owner) => facts.owners.has(owner))
  return (
    (signers === undefined || signers.some((signer) => facts.signers.includes(signer))) &&
    isLinked(addresses) &&
    isLinked(namespaces)
  )
}

/** Whether the owners that a filter names were looked up for the height of these txs. */
export function isLookedUp([first]: readonly TxFacts[], { addresses = [], namespaces = [] }: OwnerFilter): boolean {
  return !first || [...addresses, ...namespaces].every((owner) => first.lookedUp.has(owner))
}

/** Link tables are ordered by owner, so one height of a few owners is quick to find, and only that is. */
export async function lookUpOwners(
  db: Db,
  height: number,
  txs: readonly TxFacts[],
  filters: readonly OwnerFilter[],
): Promise<void> {
  const addresses = [...new Set(filters.flatMap((each) => each.addresses ?? []))]
  const namespaces = [...new Set(filters.flatMap((each) => each.namespaces ?? []))]
  const [ofAddresses, ofNamespaces] = await Promise.all([
    addresses.length === 0 ? [] : listTxsOfAddresses(db, height, addresses),
    namespaces.length === 0 ? [] : listTxsOfNamespaces(db, height, namespaces),
  ])
  const byId = new Map(txs.map((facts) => [facts.id, facts]))
  for (const { tx_id, owner } of [...ofAddresses, ...ofNamespaces]) byId.get(tx_id)?.owners.add(owner)
  for (const owner of [...addresses, ...namespaces]) txs[0]?.lookedUp.add(owner)
}

function signersOf(row: Record<string, unknown>): string[] {
  const { signers = [] } = row as { signers?: { hash?: string }[] }
  return signers.map(({ hash = '' }) => decodeAccount(hash) ?? '')
}
