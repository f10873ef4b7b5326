import { randomBytes } from 'node:crypto'
import { createDatabase, DEVNET, DEVNET_TEMPLATE, databaseUrl, TEMPLATE } from './templates.ts'

const server = process.env.ASTROLABE_TEST_POSTGRES
if (!server) throw new Error('run tests through `npm test` (or node build/test/run.js FILTER): they need its PostgreSQL')

export const serverUrl: string = server

/** The indexed main recording, shared by all tests that only read. */
export const devnetUrl = databaseUrl(serverUrl, DEVNET)

/** Its own database, empty (migrated) or a copy of the indexed recording. It goes with the server when the run ends. */
export function freshDatabase(from: 'empty' | 'devnet' = 'empty'): Promise<string> {
  return createDatabase(serverUrl, `t_${randomBytes(6).toString('hex')}`, from === 'empty' ? TEMPLATE : DEVNET_TEMPLATE)
}
