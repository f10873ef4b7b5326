import { attributionRoutes, usageRoutes } from '../access/routes.ts'
import { collectRoutes } from '../api/collect-routes.ts'
import { describeApi } from '../api/openapi.ts'
import type { ApiContext, RouteGroup, RouteSchema } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import { webhookPaths } from '../webhooks/routes.ts'
import type { ApiDocument } from './write-operations.ts'

/** Groups only register here: nothing of a request is there to be used. */
const NOTHING = new Proxy({}, { get: () => undefined })

const groups: RouteGroup[] = [
  ...allRoutes,
  attributionRoutes({ name: '', url: '', text: '', example: '' }),
  usageRoutes(NOTHING as never, () => undefined),
]

const collect = () =>
  collectRoutes(groups, {
    network: { name: 'main', chainId: '', kind: 'main' },
    db: NOTHING,
    watch: NOTHING,
  } as unknown as ApiContext).filter(({ schema }) => !schema.isAlias)

/** The description that a network with every group serves, without a network. For writing the client, not part of it. */
export function describeKeySurface(): ApiDocument {
  return describeApi(collect(), { title: 'Astrolabe', version: '1.0.0' }, webhookPaths) as ApiDocument
}

/** Schemas of the operations in that description. */
export const listOperations = (): RouteSchema[] => [...collect(), ...webhookPaths].map(({ schema }) => schema)
