import type { RouteGroup } from '../group.ts'
import { blobRoutes } from './blob.ts'
import { blockRoutes } from './block.ts'
import { gasRoutes } from './gas.ts'
import { generalRoutes } from './general.ts'
import { namespaceRoutes } from './namespace.ts'
import { searchRoutes } from './search.ts'
import { txRoutes } from './tx.ts'

/** Every group of the key surface, one line each. */
export const allRoutes: RouteGroup[] = [
  generalRoutes,
  blockRoutes,
  txRoutes,
  blobRoutes,
  namespaceRoutes,
  searchRoutes,
  gasRoutes,
]
