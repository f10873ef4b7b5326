import pg from 'pg'
import { findPrimary, forgetPrimary } from './find-primary.ts'

/** Opens a connection of `pg`, which knows one host only, to the server of `url` that takes writes. */
export async function connectClient(url: string, config: Omit<pg.ClientConfig, 'connectionString'>): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionString: await findPrimary(url) })
  // Lost between two statements: the next one fails and tells. Without a listener the process would end here.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    forgetPrimary(url)
    throw error
  }
  return client
}
