/** The key surface over an index, in a process of its own: `fork` it with the database address and the bytes of its cache. */
import { HeadWatch } from '../src/api/head-watch.ts'
import { buildApi } from '../src/api/server.ts'
import { openReader } from '../src/store/db.ts'

const [url, schema, cacheBytes] = process.argv.slice(2) as [string, string, string]
const db = openReader({ url, schema, max: 8 })
const watch = new HeadWatch(db, { schema, listenOn: db })
await watch.start()
const app = buildApi(
  {
    network: { name: 'bench', chainId: watch.head!.chain_id, kind: 'main' },
    db,
    watch,
    head: () => watch.head,
    blocks: { txs: async () => undefined },
    now: () => Date.now(),
  },
  { cacheBytes: Number(cacheBytes) },
)
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ address })
process.on('message', () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }))
process.on('disconnect', () => process.exit(0))
