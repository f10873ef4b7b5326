/** Delivers webhooks in its own process: `fork` it with the database and the schema. Ends with its parent. */
import { createPlans } from '../../src/access/plans.ts'
import { HeadWatch } from '../../src/api/head-watch.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openReader } from '../../src/store/db.ts'
import { openWebhooks } from '../../src/webhooks/service.ts'
import { PEPPER } from './webhooks-setup.ts'

const [url, schema] = process.argv.slice(2) as [string, string]
const db = openReader({ url, schema, max: 8 })
const watch = new HeadWatch(db, { schema, listenOn: db })
await watch.start()
const ctx = {
  network: { name: 'bench', chainId: watch.head!.chain_id, kind: 'main' as const },
  db,
  watch,
  head: () => watch.head,
  blocks: { read: async () => undefined },
  now: () => Date.now(),
}
const { webhooks: config, access } = loadConfig({
  env: {},
  overrides: { webhooks: { allow_http: true, private_targets: ['127.0.0.1'] } },
})
const service = openWebhooks(ctx, { url, config, plans: createPlans(access.plans), pepper: PEPPER, graceMs: 0 })
await service.deliver()
process.send?.({ ready: true })
process.on('message', () => process.send?.({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit(0))
