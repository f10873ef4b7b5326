import type { FastifyInstance } from 'fastify'
import { OperatorError } from '../../lib/errors.ts'

export type Address = { host: string; port: number }

/** Listens on the address; when its port is taken, on a free one if that is allowed. */
export async function listenOrFree(
  app: FastifyInstance,
  { host, port }: Address,
  movePort: boolean,
): Promise<{ url: string; moved: boolean }> {
  try {
    return { url: await app.listen({ host, port }), moved: false }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' && movePort) return { url: await app.listen({ host, port: 0 }), moved: true }
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        'port_taken',
        `port ${port} on ${host} is taken: choose another one or stop what uses it`,
        { host, port },
        error,
      )
    if (code === 'EACCES')
      throw new OperatorError(
        'port_denied',
        `port ${port} on ${host} may not be used by this user: choose one above 1023`,
        { host, port },
        error,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError('host_unknown', `${host} is not an address of this machine`, { host, port }, error)
    throw error
  }
}
