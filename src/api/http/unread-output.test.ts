import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { countKernelConnections, hasKernelTable } from '../../../test/support/kernel-connections.ts'
import { limitUnreadOutput, UNREAD_LIMITS, type UnreadLimits } from './unread-output.ts'

/** More than the buffers of two kernels take. */
const ANSWER = Buffer.alloc(32 * 2 ** 20, 'x')

/** Asks a server with these limits; nothing is read yet. */
async function ask(limits: Partial<UnreadLimits>, answer: RequestListener): Promise<{ server: Server; client: Socket }> {
  const server = createServer(answer)
  limitUnreadOutput(server, { ...UNREAD_LIMITS, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  return { server, client }
}

/** Asks for a long answer, reads nothing of it, and waits until the server has cut the connection. */
async function waitForCut(limits: Partial<UnreadLimits>): Promise<void> {
  const { server, client } = await ask(limits, (_, response) => response.end(ANSWER))
  const [socket] = (await once(server, 'connection')) as [Socket]
  await once(socket, 'close')
  client.destroy()
  server.close()
}

test('an answer that nobody reads is cut', { timeout: 20_000 }, () => waitForCut({ stalledMs: 100 }))

test('unread answers that are too many bytes together are cut', { timeout: 20_000 }, () =>
  waitForCut({ totalBytes: 2 ** 20, checkMs: 50 }),
)

test('an answer of which a piece takes too long is cut', { timeout: 20_000 }, () => waitForCut({ pieceMs: 200, checkMs: 50 }))

test('the kernel keeps nothing of what was cut', { timeout: 20_000, skip: !hasKernelTable }, async () => {
  const { server, client } = await ask({ stalledMs: 100 }, (_, response) => response.end(ANSWER))
  const [socket] = (await once(server, 'connection')) as [Socket]
  const { localPort } = socket
  assert.equal(countKernelConnections(localPort!), 1)
  await once(socket, 'close')
  assert.equal(countKernelConnections(localPort!), 0)
  client.destroy()
  server.close()
})

test('an answer that is long in the making is waited for', { timeout: 20_000 }, async () => {
  const { server, client } = await ask({ stalledMs: 20, pieceMs: 20, checkMs: 20 }, async (_, response) => {
    await sleep(300)
    response.setHeader('connection', 'close').end('made')
  })
  assert.match(String(Buffer.concat(await client.toArray())), /made$/)
  server.close()
})

test('a long answer arrives as a whole when it is read', { timeout: 20_000 }, async () => {
  const { server, client } = await ask({ stalledMs: 5_000 }, (_, response) => {
    response.setHeader('connection', 'close').end(ANSWER)
  })
  let bytes = 0
  for await (const piece of client) bytes += piece.length
  assert.ok(bytes > ANSWER.length)
  server.close()
})
