import type { FastifyInstance } from 'fastify'

/**
 * Answers that are given while a server closes are the last ones on their connections. The server waits for open connections, and a
 * client may keep one for a minute: longer than a process has to end.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}
