import pg from 'pg'
import { findPrimary, forgetPrimary } from './find-primary.ts'

/**
 * Opens a connection of `pg`, which knows one host only, to the server of `url` that takes writes. `settings` are the statements that it
 * begins with.
 */
export async function connectClient(
  url: string,
  config: Omit<pg.ClientConfig, 'connectionString'>,
  settings?: string,
): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionString: await findPrimary(url) })
  // Lost between two statements: the next one fails and tells. Without a listener the process would end here.
  client.on('error', () => {})
  try {
    await client.connect()
    if (settings !== undefined) await client.query(settings)
  } catch (error) {
    forgetPrimary(url)
    await client.end().catch(() => {})
    throw error
  }
  return client
}
