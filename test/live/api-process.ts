/** The key surface of one network in its own process: `node api-process.js DATABASE_URL PORT`. Prints a line once it listens. */
import { HeadWatch } from '../../src/api/head-watch.ts'
import { buildApi } from '../../src/api/server.ts'
import { attachWebSocket, type PushOptions } from '../../src/live/attach.ts'
import { openReader } from '../../src/store/db.ts'
import { SCHEMA } from '../support/templates.ts'

const [url = '', port = '0', options = '{}'] = process.argv.slice(2)
const db = openReader({ url, schema: SCHEMA, max: 8 })
const watch = new HeadWatch(db, { schema: SCHEMA, listenOn: db })
await watch.start()
const ctx = {
  network: { name: 'main', chainId: watch.head?.chain_id ?? '', kind: 'main' as const },
  db,
  head: () => watch.head,
  watch,
  blocks: { read: async () => undefined },
  now: () => Date.now(),
}
const app = buildApi(ctx)
attachWebSocket(app, ctx, JSON.parse(options) as PushOptions)
console.log(await app.listen({ port: Number(port), host: '127.0.0.1' }))

process.once('SIGTERM', async () => {
  await app.close()
  await watch.stop()
  await db.end({ timeout: 1 })
})
