import { listServers, type ServerAddress } from './address.ts'
import { openClient } from './client.ts'

/** The first server of an address that answers, whatever its role. Undefined when none does. */
export async function findAnswering(url: string): Promise<ServerAddress | undefined> {
  for (const server of listServers(url)) {
    const config = { application_name: 'astrolabe check', connectionTimeoutMillis: 2000 }
    const client = await openClient(server.url, config).catch(() => undefined)
    await client?.end()
    if (client) return server
  }
  return undefined
}
