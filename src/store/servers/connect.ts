import { connect, Socket } from 'node:net'
import pg from 'pg'
import { hasSeveralServers, listServers } from './address.ts'
import { findPrimary } from './find-primary.ts'

/** Opens a connection of `pg`, which knows one host only, to the server of `url` that takes writes. */
export async function connectClient(url: string, config: Omit<pg.ClientConfig, 'connectionString'>): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionString: await findPrimary(url) })
  // Lost between two statements: the next one fails and tells. Without a listener the process would end here.
  client.on('error', () => {})
  await client.connect()
  return client
}

type PoolAddress = [url: string, options: { socket?: () => Promise<Socket> }]

/**
 * The same for pools of postgres.js: each new connection goes to the server that takes writes. Its own list of hosts is not used: while
 * none of them answers it would try again without a pause, and never tell the query that waits.
 */
export function poolAddress(url: string): PoolAddress {
  const [first] = listServers(url)
  return hasSeveralServers(url) ? [first!.url, { socket: () => openSocket(url) }] : [first!.url, {}]
}

async function openSocket(url: string): Promise<Socket> {
  try {
    const { hostname, port } = new URL(await findPrimary(url))
    const host = hostname.replace(/^\[|\]$/g, '')
    // The library verifies certificates against `host`.
    return Object.assign(connect({ host, port: Number(port || 5432) }), { host })
  } catch (error) {
    return brokenSocket(error as Error)
  }
}

/** A connection that the library does not get would be missing from its pool from then on; one that breaks is opened again. */
function brokenSocket(error: Error): Socket {
  const socket = new Socket()
  socket.write = () => true
  setImmediate(() => socket.destroy(error))
  return socket
}
