/** A receiver of many subscriptions: remembers when each height arrived at each of them. Started by `fork`; ends with its parent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Milliseconds on the machine's clock at which each subscription got each height. */
const arrivals = new Map<number, number[]>()
const now = () => performance.timeOrigin + performance.now()

const server = createServer((request, response) => {
  const arrived = now()
  const hangs = request.url === '/hang'
  let text = ''
  request.on('data', (chunk: Buffer) => {
    if (text.length < 200) text += chunk.toString('latin1')
  })
  request.on('end', () => {
    if (hangs) return
    const height = Number(/"height":(\d+)/.exec(text)?.[1])
    const known = arrivals.get(height)
    if (known) known.push(arrived)
    else arrivals.set(height, [arrived])
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
process.on('message', () => process.send?.({ arrivals: [...arrivals] }))
process.on('disconnect', () => process.exit(0))
