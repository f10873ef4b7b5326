import type { FastifyInstance } from 'fastify'

/**
 * A server that closes takes no new connections, and its answers are the last ones on those it has: it waits for open connections, and a
 * client may keep one for a minute, which is longer than a process has to end.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    // Fastify stops listening after all hooks and answers 503 until then. The event source of a browser never reconnects after that.
    app.server.close()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}
