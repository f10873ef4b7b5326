import '../src/runtime/name-runtime.ts'
import { calibrate } from './calibration.ts'

/** `npm run bench -- NAME`: one file per question, each prints one table, between two looks at how fast the machine is. */
const benches: Record<string, () => Promise<{ run: (args: string[]) => Promise<void> }>> = {
  compare: () => import('./compare.ts'),
  export: () => import('./export.ts'),
  ingest: () => import('./ingest.ts'),
  'large-block': () => import('./large-block.ts'),
  mainnet: () => import('./mainnet.ts'),
  partitions: () => import('./partitions.ts'),
  pay: () => import('./pay.ts'),
  read: () => import('./read.ts'),
  scale: () => import('./scale.ts'),
  segments: () => import('./segments.ts'),
  start: () => import('./start.ts'),
  stats: () => import('./stats.ts'),
  tip: () => import('./tip.ts'),
  verify: () => import('./verify.ts'),
  webhooks: () => import('./webhooks.ts'),
  'ws-fanout': () => import('./ws-fanout.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = benches[name]
if (!load) {
  console.error(`usage: npm run bench -- NAME\nbenches: ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
const before = calibrate()
await (await load()).run(args)
console.log(`\ncalibration loop: ${before.toFixed(1)} ms CPU before, ${calibrate().toFixed(1)} ms after`)
process.exit(0)
