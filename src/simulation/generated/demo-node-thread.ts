/** Runs the node of the demo chain. Started by `demo-node.ts`; its first message says that it may begin, the second that it is to end. */
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { startReplayNode } from '../node/node.ts'
import { demoInterval } from './demo.ts'
import { openDemoChain } from './demo-chain.ts'
import type { DemoNodeOptions, DemoNodeReport } from './demo-node.ts'

/** Blocks that are late by more than this are not made up for. */
const MOST_LATE_MS = 1_000

/** Blocks of the past that are made between two looks at what is asked of the node. */
const PAST_BLOCKS = 25

/** A new price comes every hour. */
const PRICE_MS = 600_000

const port = parentPort!
const report = (message: DemoNodeReport) => port.postMessage(message)

async function run({ folder, host, port: wanted }: DemoNodeOptions): Promise<void> {
  const chain = openDemoChain(folder, Date.now())
  chain.writePrices(Date.now())
  const pricing = setInterval(() => chain.writePrices(Date.now()), PRICE_MS)
  let hasMorePast = chain.makePast(PAST_BLOCKS)
  const options = { chain, host, maxBatchCalls: 100, startHeight: chain.last() - 1, isCatchingUp: () => hasMorePast }
  const node = await startReplayNode({ ...options, port: wanted }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return startReplayNode({ ...options, port: 0 })
    throw error
  })
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  let due = Date.now()
  const waitForNext = () => {
    // From block to block, not from the end of the work on one: the pace is that of the clock. What a sleeping machine missed is left out.
    due = Math.max(due, Date.now() - MOST_LATE_MS) + demoInterval(chain.last())
    timer = setTimeout(
      () => {
        chain.produce(Date.now())
        void node.advance()
        waitForNext()
      },
      Math.max(0, due - Date.now()),
    )
  }
  const makePast = async () => {
    while (hasMorePast && !isClosing) {
      // Requests come first.
      await setImmediate()
      hasMorePast = chain.makePast(PAST_BLOCKS)
      node.setHeight(chain.last() - 2)
      await node.advance()
    }
    if (!isClosing) waitForNext()
  }
  port.once('message', async () => {
    isClosing = true
    clearTimeout(timer)
    clearInterval(pricing)
    await past
    await node.close()
    chain.close()
    port.close()
  })
  const past = makePast()
  report({ url: node.url, chainId: chain.chainId, height: node.height })
}

port.once('message', () => run(workerData as DemoNodeOptions).catch((error: Error) => report({ error: error.message })))
