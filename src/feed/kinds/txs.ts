import { writeJson } from '../../api/http/write-json.ts'
import { type BlobFacts, blobFactsOf, matchesBlob } from '../../api/match/blob.ts'
import { isLookedUp, lookUpOwners, matchesTx, type TxFacts, txFactsOf } from '../../api/match/tx.ts'
import type { RouteReader } from '../../api/route-reader.ts'
import type { Db } from '../../store/db.ts'
import { positionOf } from '../../store/pack/id.ts'
import { messageTypeName } from '../../types/message-type.ts'
import type { PlainKind, Selection } from '../kind.ts'

type TypedTxFacts = { tx: TxFacts; types: readonly string[] }

const holdsOne = (types: Iterable<string>, { messageTypes }: Selection) =>
  messageTypes === undefined || [...types].some((type) => messageTypes.has(type))

/** Transactions as `/v1/tx` lists them. */
export function txEvents(routes: RouteReader, db: Db): PlainKind<TypedTxFacts> {
  const list = routes.list('/v1/tx')
  return {
    types: ['tx'],
    isIn: ({ tx_count, message_types }, selection) => tx_count > 0 && holdsOne(message_types.map(messageTypeName), selection),
    async read({ height }) {
      const rows = await list({ height, sort: 'asc' })
      const facts = txFactsOf(rows)
      return rows.map((row, i) => ({
        type: 'tx',
        position: positionOf(Number(row.id)),
        json: writeJson(row).trimEnd(),
        facts: { tx: facts[i]!, types: row.message_types as string[] },
      }))
    },
    matches: ({ facts }, selection) => matchesTx(facts.tx, selection) && holdsOne(facts.types, selection),
    isPrepared: (entries, selection) =>
      isLookedUp(
        entries.map(({ facts }) => facts.tx),
        selection,
      ),
    prepare: ({ height }, entries, selections) =>
      lookUpOwners(
        db,
        height,
        entries.map(({ facts }) => facts.tx),
        selections,
      ),
  }
}

/** Blobs as `/v1/block/{height}/blobs` lists them. */
export function blobEvents(routes: RouteReader): PlainKind<BlobFacts> {
  const list = routes.list('/v1/block/:height/blobs')
  return {
    types: ['blob'],
    isIn: ({ blobs_count }) => blobs_count > 0,
    read: async ({ height }) =>
      (await list({ sort: 'asc' }, { height })).map((row) => ({
        type: 'blob',
        position: positionOf(Number(row.id)),
        json: writeJson(row).trimEnd(),
        facts: blobFactsOf(row),
      })),
    matches: ({ facts }, selection) => matchesBlob(facts, selection),
  }
}
