import { existsSync, readFileSync } from 'node:fs'

/** Linux lists its connections here, one line for each, with the ports of its two ends in hexadecimal. */
const TABLE = '/proc/net/tcp'

/** Whether `countKernelConnections` can work here. */
export const hasKernelTable = existsSync(TABLE)

/** The connections of a server that the kernel knows, by its port. One that was closed stays while it has unread data. */
export function countKernelConnections(port: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  // A socket that listens has no port at its other end.
  return readFileSync(TABLE, 'latin1').match(new RegExp(`:${local} [0-9A-F]{8}:(?!0000)`, 'g'))?.length ?? 0
}
