import { connect, Socket } from 'node:net'
import pg from 'pg'
import { hasSeveralServers, listServers } from './address.ts'
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

/** The library would wait up to 20 s before it tries again, also when the server has come back long ago. */
const RECONNECT_SECONDS = 0.5

type PoolAddress = [url: string, options: { backoff: () => number; socket?: () => Promise<Socket> }]

/**
 * The same for pools of postgres.js: each new connection goes to the server that takes writes. Its own list of hosts is not used: while
 * none of them answers it would try again without a pause, and never tell the query that waits.
 */
export function poolAddress(url: string): PoolAddress {
  const [first] = listServers(url)
  const options = { backoff: () => RECONNECT_SECONDS, ...(hasSeveralServers(url) && { socket: () => openSocket(url) }) }
  return [first!.url, options]
}

async function openSocket(url: string): Promise<Socket> {
  try {
    const { hostname, port } = new URL(await findPrimary(url))
    const host = hostname.replace(/^\[|\]$/g, '')
    // The library verifies certificates against `host`.
    const socket = connect({ host, port: Number(port || 5432) })
    socket.once('error', () => forgetPrimary(url))
    return Object.assign(socket, { host })
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
