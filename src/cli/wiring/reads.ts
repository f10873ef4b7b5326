import type { Logger } from 'pino'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { type Db, openReader } from '../../store/db.ts'
import { ReadServers } from '../../store/replicas/read-servers.ts'
import { hasSeveralServers } from '../../store/servers/address.ts'
import { segmentReaderOf } from './segments.ts'

export type Reads = {
  db: Db
  /** where there is more than one to choose from */
  servers: ReadServers | undefined
  close: () => Promise<void>
}

/** The servers that a network is read from: its replicas, or the primary alone. `connections` are per server. */
export async function openReads(
  config: Config,
  network: NetworkConfig,
  primaryUrl: string,
  connections: number,
  log: Logger,
): Promise<Reads> {
  const { database } = config
  const schema = schemaOf(network)
  const segments = segmentReaderOf(config, network)
  const replicaUrl = network.database ? network.database.read_url : database.read_url
  if (replicaUrl === undefined && !hasSeveralServers(primaryUrl)) {
    const db = openReader({ url: primaryUrl, schema, max: connections, segments })
    return { db, servers: undefined, close: () => db.end({ timeout: 2 }) }
  }
  const servers = new ReadServers({
    schema,
    primaryUrl,
    replicaUrl,
    max: connections,
    segments,
    maxLagSeconds: database.max_replica_lag_seconds,
    onChoice: (place, before) => {
      if (place === undefined)
        log.error({ network: network.name, before }, 'no database server can be read from: requests fail until one is back')
      else log.info({ network: network.name, server: place, before }, 'reading from this database server')
    },
    onError: (error) =>
      log.warn(
        { err: error, network: network.name },
        'listening to the primary failed: new heads are polled for until it is back',
      ),
  })
  await servers.start()
  return { db: servers.db, servers, close: () => servers.stop() }
}
