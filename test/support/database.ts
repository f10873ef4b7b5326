import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { createDatabase, DEVNET, databaseUrl, TEMPLATE } from './templates.ts'

const server = process.env.ASTROLABE_TEST_POSTGRES
if (!server) throw new Error('run tests through `npm test` (or node build/test/run.js FILTER): they need its PostgreSQL')

export const serverUrl: string = server

/** The indexed main recording, shared by all tests that only read. */
export const devnetUrl = databaseUrl(serverUrl, DEVNET)

/** A database of its own for this test file, dropped afterwards: empty (migrated), or a copy of the indexed recording. */
export async function freshDatabase(from: 'empty' | 'devnet' = 'empty'): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`
  const url = await createDatabase(serverUrl, name, from === 'empty' ? TEMPLATE : DEVNET)
  after(async () => {
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query(`drop database if exists "${name}" with (force)`)
    await client.end()
  })
  return url
}
