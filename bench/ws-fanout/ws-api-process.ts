/** The key surface with its push in its own process. Started by `fork`; ends with its parent. */
import { HeadWatch } from '../../src/api/head-watch.ts'
import { buildApi } from '../../src/api/server.ts'
import { attachWebSocket } from '../../src/live/attach.ts'
import { openReader } from '../../src/store/db.ts'

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
const app = buildApi(ctx)
const hub = attachWebSocket(app, ctx)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ address })
process.on('message', () =>
  process.send?.({ rss: process.memoryUsage.rss(), cpu: process.cpuUsage(), sessions: hub.sessions.size }),
)
process.on('disconnect', () => process.exit(0))
