import { Socket } from 'node:net'
import pg from 'pg'
import { Transient } from '../../lib/errors.ts'
import { socketOf } from './address.ts'

export type ClientConfig = Omit<pg.ClientConfig, 'connectionString' | 'stream'> & {
  /** closes the connection at once, also while it is being opened */
  signal?: AbortSignal
}

/** The client library gives these texts and no code. */
const LOST =
  /^(Connection terminated|Connection ended|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded)/i

export const isConnectionLost = (error: unknown): boolean => error instanceof Error && LOST.test(error.message)

/** A lost connection has one code here, whichever way the library tells it. */
export const nameLoss = (error: unknown): unknown =>
  isConnectionLost(error) && !(error instanceof Transient)
    ? new Transient('connection_lost', (error as Error).message, {}, error)
    : error

/** Connects to the one server of an address, whatever its role. */
export async function openClient(url: string, config: ClientConfig): Promise<pg.Client> {
  const { address, isOptional } = withTlsMode(url)
  try {
    return await connect(address, config)
  } catch (error) {
    if (!isOptional || !/does not support SSL/.test((error as Error).message)) throw error
    return connect(withTlsMode(url, 'disable').address, config)
  }
}

async function connect(connectionString: string, { signal, ...config }: ClientConfig): Promise<pg.Client> {
  const socket = new Socket()
  const client = new pg.Client({ ...config, connectionString, stream: () => socket })
  // Lost between two statements: the next one fails and tells. Without a listener the process would end here.
  client.on('error', () => {})
  const close = () => socket.destroy()
  signal?.addEventListener('abort', close)
  client.once('end', () => signal?.removeEventListener('abort', close))
  try {
    signal?.throwIfAborted()
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/**
 * The modes of libpq: `require` asks for TLS and for no proof of who the server is. Nobody stands between the two ends of a Unix socket;
 * the server has no TLS there.
 */
function withTlsMode(url: string, given?: string): { address: string; isOptional: boolean } {
  const address = new URL(url)
  const parameters = address.searchParams
  const isSystem = parameters.get('sslrootcert') === 'system'
  const asked = isSystem ? 'verify-full' : (parameters.get('sslmode') ?? parameters.get('ssl') ?? 'disable')
  const mode = socketOf(url) ? 'disable' : (given ?? MODES[asked] ?? asked)
  parameters.delete('ssl')
  if (isSystem) parameters.delete('sslrootcert')
  parameters.set('sslmode', mode === 'verify-ca' && !parameters.has('sslrootcert') ? 'verify-full' : mode)
  parameters.set('uselibpqcompat', 'true')
  return { address: address.href, isOptional: mode === 'prefer' }
}

/** Other words for the modes. */
const MODES: Record<string, string> = {
  allow: 'prefer',
  'no-verify': 'require',
  true: 'verify-full',
  '1': 'verify-full',
  false: 'disable',
  '0': 'disable',
}
