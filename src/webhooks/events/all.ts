import type { ApiContext } from '../../api/route.ts'
import { RouteReader } from '../../api/route-reader.ts'
import { allRoutes } from '../../api/routes/all.ts'
import { blockEvents, gasPriceEvents } from './blocks.ts'
import type { EventKind } from './kind.ts'
import { jailEvents, proposalEvents, slashEvents } from './states.ts'
import { bankTransferEvents, hyperlaneTransferEvents, ibcTransferEvents } from './transfers.ts'
import { blobEvents, txEvents } from './txs.ts'

/** All kinds, in the order in which the events of a height are sent. */
export function openEventKinds(ctx: ApiContext): readonly EventKind<unknown>[] {
  const routes = new RouteReader(allRoutes, ctx)
  const { db } = ctx
  return [
    blockEvents(routes),
    txEvents(routes, db),
    blobEvents(routes),
    bankTransferEvents(routes),
    ibcTransferEvents(db),
    hyperlaneTransferEvents(db),
    slashEvents(db),
    jailEvents(db),
    proposalEvents(db),
    gasPriceEvents,
  ] as EventKind<unknown>[]
}
