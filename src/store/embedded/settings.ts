import { totalmem } from 'node:os'

const [LEAST_BUFFERS_MB, MOST_BUFFERS_MB] = [256, 1024]

/**
 * An eighth of the memory: as long as the indexes that every block adds to fit into the buffers, a long synchronisation keeps its pace
 * (docs/decisions/0102-bundled-postgres.md). What is not used is not taken from anybody, but every gigabyte makes a start 20 ms longer.
 */
export function usualBuffersMb(ephemeral: boolean): number {
  if (ephemeral) return LEAST_BUFFERS_MB
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.min(MOST_BUFFERS_MB, Math.max(LEAST_BUFFERS_MB, Math.floor(memory / 8 / 2 ** 20)))
}

type ServerSettings = { ephemeral: boolean; buffersMb: number; socketFolder: string }

export function serverFlags({ ephemeral, buffersMb, socketFolder }: ServerSettings): string[] {
  const settings: Record<string, string> = {
    // For other programs, and for us where there is no socket.
    listen_addresses: '127.0.0.1',
    // Through a socket a statement costs both ends less CPU than through TCP (docs/decisions/0102-bundled-postgres.md). In quotes: commas separate folders.
    unix_socket_directories: socketFolder && `"${socketFolder.replaceAll('"', '""')}"`,
    shared_buffers: `${buffersMb}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_connections: '200',
    // Whole pages are logged after each checkpoint, the more of them the larger the indexes are. The bundled server could compress them with
    // pglz only, which took a tenth of its CPU (docs/decisions/0102-bundled-postgres.md).
    max_wal_size: `${Math.max(4096, buffersMb)}MB`,
    checkpoint_timeout: '15min',
    wal_compression: 'off',
    jit: 'off',
    random_page_cost: '1.1',
    ...(ephemeral ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {}),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
