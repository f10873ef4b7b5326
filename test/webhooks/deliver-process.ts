/** Delivers the webhooks of one network in its own process: `node deliver-process.js DATABASE_URL`. Prints a line once it works. */
import { openGuardedApi } from '../access/guarded-api.ts'
import { LOCAL } from './settings.ts'

const api = await openGuardedApi(process.argv[2]!, { webhooks: { deliver: true, ...LOCAL } })
console.log('delivering')

process.once('SIGTERM', () => void api.close())
