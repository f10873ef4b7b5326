import { Worker } from 'node:worker_threads'
import { OperatorError } from '../../lib/errors.ts'

export type DemoNodeOptions = { folder: string; host: string; port: number }
export type DemoNodeReport = { url: string; chainId: string; height: number } | { error: string }

/** Close is the only thing it is told. */
export type DemoNode = { url: string; chainId: string; height: number; close(): Promise<void> }

/** A node that makes the demo chain, on a thread of its own: a block takes milliseconds, which nobody else shall wait for. */
export async function startDemoNode(options: DemoNodeOptions): Promise<DemoNode> {
  const worker = new Worker(new URL('./demo-node-thread.js', import.meta.url), { workerData: options })
  const report = await new Promise<DemoNodeReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
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
