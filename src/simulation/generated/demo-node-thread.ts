/** Runs the node of the demo chain. Started by `demo-node.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { startReplayNode } from '../node/node.ts'
import { DEMO_INTERVAL_MS } from './demo.ts'
import { openDemoChain } from './demo-chain.ts'
import type { DemoNodeOptions, DemoNodeReport } from './demo-node.ts'

const port = parentPort!
const report = (message: DemoNodeReport) => port.postMessage(message)

async function run({ folder, host, port: wanted }: DemoNodeOptions): Promise<void> {
  const chain = openDemoChain(folder, Date.now())
  const options = { chain, host, maxBatchCalls: 100, startHeight: chain.last() - 1 }
  const node = await startReplayNode({ ...options, port: wanted }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return startReplayNode({ ...options, port: 0 })
    throw error
  })
  const timer = setInterval(() => {
    chain.produce(Date.now())
    void node.advance()
  }, DEMO_INTERVAL_MS)
  port.once('message', async () => {
    clearInterval(timer)
    await node.close()
    chain.close()
    port.close()
  })
  report({ url: node.url, chainId: chain.chainId, height: node.height })
}

run(workerData as DemoNodeOptions).catch((error: Error) => report({ error: error.message }))
