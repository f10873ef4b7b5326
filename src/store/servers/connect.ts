import type pg from 'pg'
import { type ClientConfig, openClient } from './client.ts'
import { findPrimary, forgetPrimary } from './find-primary.ts'

/** Connects to the server of `url` that takes writes. `settings` are the statements that the connection begins with. */
export async function connectClient(url: string, config: ClientConfig, settings?: string): Promise<pg.Client> {
  const address = await findPrimary(url)
  try {
    const client = await openClient(address, config)
    client.once('end', () => forgetPrimary(url))
    if (settings !== undefined) await client.query(settings)
    return client
  } catch (error) {
    forgetPrimary(url)
    throw error
  }
}
