/** The scale chain from its genesis, indexed as far as the parent asks for, and then sealed. Started by `FirstTenthAgain`; ends with its parent. */
import type { AgainOrder } from './scale-again.ts'
import { ScaleRun } from './scale-run.ts'

const [blocks, threads, folder] = process.argv.slice(2) as [string, string, string?]
const scale = await ScaleRun.open(Number(blocks), Number(threads), folder)
const { signal } = new AbortController()

process.on('message', async (order: AgainOrder) => {
  if ('until' in order) process.send?.(await scale.indexTo(order.until, signal, () => {}))
  else {
    await scale.seal()
    process.send?.(await scale.readTarget())
  }
})
process.on('disconnect', async () => {
  await scale.close()
  process.exit(0)
})
process.send?.('ready')
