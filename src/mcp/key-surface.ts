import type { FastifyInstance } from 'fastify'
import type { NetworkAccess } from '../access/guard.ts'
import type { ApiContext } from '../api/route.ts'
import { openOperations } from '../operations/serve-operations.ts'
import { addMcpRoute } from './http.ts'
import { createKeyTools } from './key-tools.ts'

export type KeySurfaceOptions = {
  access: Pick<NetworkAccess, 'chargeMessages' | 'chargeCall' | 'chargeBytes'>
  onError: (error: unknown) => void
  /** of all answers to one HTTP message together */
  answerBytes?: number | undefined
}

/** Most calls ask for something else each time. */
const CACHE_BYTES = 16 * 2 ** 20

/** Tools on the key surface: a call costs its caller what the same requests cost over REST, from the same limits. */
export function addMcpToKeySurface(
  app: FastifyInstance,
  ctx: ApiContext,
  { access, onError, answerBytes }: KeySurfaceOptions,
): void {
  const operations = openOperations(ctx, { cacheBytes: CACHE_BYTES })
  app.addHook('onClose', async () => operations.close())
  addMcpRoute(app, {
    answerBytes,
    open: async (request, reply) =>
      createKeyTools(operations, onError, {
        charge: (cost) => access.chargeCall(request, reply, cost),
        chargeBytes: (bytes) => access.chargeBytes(request, bytes),
      }),
    admit: (request, reply, messages) => access.chargeMessages(request, reply, messages),
  })
}
