import { Worker } from 'node:worker_threads'
import { OperatorError } from '../../lib/errors.ts'

/** Candles of the coin in the folder of the chain, as a source of prices has them. */
export const PRICE_FILE = 'price.json'

export type DemoNodeOptions = { folder: string; host: string; port: number }
export type DemoNodeReport = { url: string; chainId: string; height: number } | { error: string }

export type DemoNode = { url: string; chainId: string; height: number; close(): Promise<void> }

/** `mayBegin`: when the folder may be touched; until then the thread loads its code. `signal` stops it before it answers. */
export type DemoNodeStart = { mayBegin: Promise<void>; signal: AbortSignal }

/**
 * A node that makes the demo chain, on its own thread: a block takes milliseconds, which nobody else shall wait for. The history of a new
 * chain is made while the node is asked for it, as by one that synchronizes.
 */
export async function startDemoNode(options: DemoNodeOptions, { mayBegin, signal }: DemoNodeStart): Promise<DemoNode> {
  const worker = new Worker(new URL('./demo-node-thread.js', import.meta.url), { workerData: options })
  void mayBegin.then(() => worker.postMessage('begin'))
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  const report = await new Promise<DemoNodeReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the node of the demo chain ended before it was ready')))
  }).finally(() => signal.removeEventListener('abort', stop))
  if ('error' in report) {
    await worker.terminate()
    throw new OperatorError('demo_chain', `the demo chain in ${options.folder} cannot be continued: ${report.error}`)
  }
  return {
    ...report,
    async close() {
      worker.postMessage('close')
      await new Promise((resolve) => worker.once('exit', resolve))
    },
  }
}
