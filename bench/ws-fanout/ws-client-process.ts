/** Many subscribers in one process: `fork` it with the address, their number and how many of them never read. */
import { once } from 'node:events'
import { WebSocket } from 'ws'

const [url, count, stuck] = process.argv.slice(2) as [string, string, string]
const HEIGHT = /"height":(\d+)/
/** Milliseconds on the machine's clock at which each subscriber got each height. */
const arrivals = new Map<number, number[]>()
const now = () => performance.timeOrigin + performance.now()

for (let i = 0; i < Number(count); i++) {
  // Ten connections per address: they come from as many loopback addresses as it takes.
  const socket = new WebSocket(url, { localAddress: `127.0.${1 + Math.floor(i / 2000)}.${1 + (Math.floor(i / 10) % 200)}` })
  socket.on('error', () => {})
  await once(socket, 'open')
  for (const channel of ['head', 'blocks', 'gas_price'])
    socket.send(JSON.stringify({ method: 'subscribe', body: { channel, filters: { ack: true } } }))
  let acks = 0
  await new Promise<void>((resolve) => {
    socket.on('message', (payload: Buffer) => {
      const arrived = now()
      const text = payload.toString('latin1', 0, 60)
      if (text.startsWith('{"channel":"ack"') && ++acks === 3) resolve()
      if (!text.startsWith('{"channel":"blocks"')) return
      const height = Number(HEIGHT.exec(text)?.[1])
      const known = arrivals.get(height)
      if (known) known.push(arrived)
      else arrivals.set(height, [arrived])
    })
  })
  if (i < Number(stuck)) socket.pause()
}
process.send?.({ ready: true })
process.on('message', () => process.send?.({ arrivals: [...arrivals] }))
process.on('disconnect', () => process.exit(0))
