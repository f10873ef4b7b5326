import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Milliseconds from the node's announcement of a block to `/v1/head` and to a subscriber. */
export async function measureDelay(node, index, blocks) {
  const announced = new Map()
  const [seen, pushed] = [new Map(), new Map()]
  const atNode = new WebSocket(`${node.rpc.replace('http', 'ws')}/websocket`)
  atNode.on('open', () =>
    atNode.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } })),
  )
  atNode.on('message', (text) => {
    const height = Number(JSON.parse(text).result?.data?.value?.header?.height)
    if (height > 0) announced.set(height, performance.now())
  })
  const atIndex = new WebSocket(index.websocket)
  atIndex.on('open', () => atIndex.send(JSON.stringify({ method: 'subscribe', body: { channel: 'blocks' } })))
  atIndex.on('message', (text) => {
    const { body } = JSON.parse(text)
    if (body?.height && !pushed.has(body.height)) pushed.set(body.height, performance.now())
  })
  while (announced.size < blocks) {
    const height = await index.height()
    if (!seen.has(height)) seen.set(height, performance.now())
    await delay(5)
  }
  await delay(1500)
  atNode.terminate()
  atIndex.terminate()
  const medianOf = (times) => {
    const delays = [...announced]
      .flatMap(([height, at]) => (times.has(height) ? [times.get(height) - at] : []))
      .sort((a, b) => a - b)
    return { count: delays.length, median: Math.round(delays[Math.floor(delays.length / 2)] ?? Number.NaN) }
  }
  return { head: medianOf(seen), push: medianOf(pushed) }
}
