import { accountPaths } from '../access/account-routes.ts'
import { planRoutes } from '../access/plan-list.ts'
import { attributionRoutes } from '../access/routes.ts'
import { collectRoutes } from '../api/collect-routes.ts'
import { describeApi } from '../api/openapi.ts'
import type { ApiContext, RouteGroup, RouteSchema } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import { livePaths } from '../live/describe.ts'
import { webhookPaths } from '../webhooks/routes.ts'
import type { ApiDocument } from './write-operations.ts'

/** Groups only register here: nothing of a request is there to be used. */
const NOTHING = new Proxy({}, { get: () => undefined })

const groups: RouteGroup[] = [...allRoutes, attributionRoutes({ name: '', url: '', text: '', example: '' }), planRoutes(() => [])]

const ownedPaths = [...accountPaths, ...webhookPaths]

const collect = () =>
  collectRoutes(groups, {
    network: { name: 'main', chainId: '', kind: 'main' },
    db: NOTHING,
    watch: NOTHING,
  } as unknown as ApiContext).filter(({ schema }) => !schema.isAlias)

/** The description that a network with every group serves, without a network. For writing the client, not part of it. */
export function describeKeySurface(): ApiDocument {
  return describeApi(collect(), { title: 'Astrolabe', version: '1.0.0' }, ownedPaths) as ApiDocument
}

/** Schemas of the operations in that description. */
export const listOperations = (): RouteSchema[] => [...collect(), ...ownedPaths].map(({ schema }) => schema)

/** Operations that a key can be restricted to: also those that hold a connection. */
export function listOperationIds(): Set<string> {
  const live = livePaths.map((path) => ('schema' in path ? path.schema.operationId : String(path.operation.operationId)))
  return new Set([...listOperations().map(({ operationId }) => operationId), ...live])
}
