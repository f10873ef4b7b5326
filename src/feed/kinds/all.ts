import type { RouteReader } from '../../api/route-reader.ts'
import type { Db } from '../../store/db.ts'
import type { EventKind, PlainKind } from '../kind.ts'
import { type BlockFacts, blockEvents, gasPriceEvents } from './blocks.ts'
import { jailEvents, proposalEvents, slashEvents } from './states.ts'
import { bankTransferEvents, hyperlaneTransferEvents, ibcTransferEvents } from './transfers.ts'
import { blobEvents, txEvents } from './txs.ts'

export type EventKinds = {
  blocks: PlainKind<BlockFacts>
  txs: PlainKind
  blobs: PlainKind
  /** all of them, in the order in which the events of a height are sent */
  all: readonly EventKind[]
}

export function openEventKinds(routes: RouteReader, db: Db): EventKinds {
  const [blocks, txs, blobs] = [blockEvents(routes), txEvents(routes, db) as PlainKind, blobEvents(routes) as PlainKind]
  const others = [
    bankTransferEvents(routes),
    ibcTransferEvents(db),
    hyperlaneTransferEvents(db),
    slashEvents(db),
    jailEvents(db),
    proposalEvents(db),
    gasPriceEvents,
  ] as EventKind[]
  return { blocks, txs, blobs, all: [blocks as EventKind, txs, blobs, ...others] }
}
