import type { RouteGroup } from '../group.ts'

/** Every group of the key surface, one line each. */
export const allRoutes: RouteGroup[] = []
