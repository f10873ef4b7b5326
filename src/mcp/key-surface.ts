import type { FastifyInstance } from 'fastify'
import type { NetworkAccess } from '../access/guard.ts'
import type { Db } from '../store/db.ts'
import { addMcpRoute } from './http.ts'
import { asCaller, createKeyTools } from './key-tools.ts'

/** Tools on the key surface: calls are requests of the caller to the same app. */
export function addMcpToKeySurface(app: FastifyInstance, access: Pick<NetworkAccess, 'chargeMessages'>, db: Db): void {
  addMcpRoute(app, {
    open: async (request) => createKeyTools(asCaller(app, request), db),
    admit: (request, reply, messages) => access.chargeMessages(request, reply, messages),
  })
}
