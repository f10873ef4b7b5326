import pg from 'pg'
import { listServers, type ServerAddress } from './address.ts'

/** The first server of an address that answers, whatever its role. Undefined when none does. */
export async function findAnswering(url: string): Promise<ServerAddress | undefined> {
  for (const server of listServers(url)) {
    const client = new pg.Client({
      connectionString: server.url,
      application_name: 'astrolabe check',
      connectionTimeoutMillis: 2000,
    })
    client.on('error', () => {})
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isThere) return server
  }
  return undefined
}
