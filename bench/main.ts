/** `npm run bench -- NAME`: one file per question, each prints one table. */
const benches: Record<string, () => Promise<{ run: (args: string[]) => Promise<void> }>> = {
  export: () => import('./export.ts'),
  ingest: () => import('./ingest.ts'),
  'large-block': () => import('./large-block.ts'),
  mainnet: () => import('./mainnet.ts'),
  pay: () => import('./pay.ts'),
  read: () => import('./read.ts'),
  scale: () => import('./scale.ts'),
  segments: () => import('./segments.ts'),
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
await (await load()).run(args)
process.exit(0)
