import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Longest path on macOS; Linux takes four more bytes. Node would cut a longer one and say nothing. */
const LONGEST_PATH = 103

/**
 * Whether the server can have its Unix socket in its data folder. It cannot where the path is too long for one, on some file systems of
 * containers, and on Windows.
 */
export async function canHoldSocket(data: string): Promise<boolean> {
  const path = join(data, '.s.PGSQL.probe')
  if (Buffer.byteLength(path) > LONGEST_PATH) return false
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(path, () => probe.close(() => resolve(true)))
  })
}

/** A server that was killed leaves its socket behind, and the next one has another port. Only for the server that runs on the folder. */
export async function removeOldSockets(data: string, port: number): Promise<void> {
  const own = `.s.PGSQL.${port}`
  for (const name of await readdir(data))
    if (name.startsWith('.s.PGSQL.') && name !== own && name !== `${own}.lock`) await rm(join(data, name), { force: true })
}
