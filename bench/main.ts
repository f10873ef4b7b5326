import '../src/runtime/name-runtime.ts'
import { calibrate } from './harness/calibration.ts'

/** `npm run bench -- NAME`: one file per question, each prints one table, between two looks at how fast the machine is. */
const benches: Record<string, () => Promise<{ run: (args: string[]) => Promise<void> }>> = {
  compare: () => import('./compare.ts'),
  export: () => import('./export/export.ts'),
  'hit-rate': () => import('./read/hit-rate.ts'),
  ingest: () => import('./ingest/ingest.ts'),
  'large-block': () => import('./large-block/large-block.ts'),
  mainnet: () => import('./mainnet/mainnet.ts'),
  neighbours: () => import('./read/neighbours.ts'),
  pay: () => import('./pay/pay.ts'),
  read: () => import('./read/read.ts'),
  scale: () => import('./scale/scale.ts'),
  start: () => import('./start.ts'),
  tip: () => import('./tip.ts'),
  trust: () => import('./trust/trust.ts'),
  webhooks: () => import('./webhooks/webhooks.ts'),
  'ws-fanout': () => import('./ws-fanout/ws-fanout.ts'),
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
