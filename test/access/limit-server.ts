/** One of several servers over one database, for tests of limits: `limit-server.js DATABASE_URL ACCESS_SETTINGS`. Tells its port. */
import { openGuardedApi } from './guarded-api.ts'

const [url = '', settings = '{}'] = process.argv.slice(2)
const { app, close } = await openGuardedApi(url, { access: JSON.parse(settings) as Record<string, unknown> })
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
process.once('disconnect', () => close().then(() => process.exit(0)))
