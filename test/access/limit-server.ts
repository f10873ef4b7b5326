/** One of several servers over one database, for tests of limits: `limit-server.js DATABASE_URL ACCESS_SETTINGS`. Prints its port. */
import { openGuardedApi } from './guarded-api.ts'

const [url = '', settings = '{}'] = process.argv.slice(2)
const { app, close } = await openGuardedApi(url, { access: JSON.parse(settings) as Record<string, unknown> })
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(`port ${typeof address === 'object' ? address?.port : 0}`)
process.once('SIGTERM', () => close().then(() => process.exit(0)))
