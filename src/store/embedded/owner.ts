import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Names the process that started the bundled server and will stop it. */
const FILE = 'postgres-owner'

/**
 * Commands that only look (`status`, `audit`, reports) share a running server and leave it running. A server whose owner was killed is
 * taken over by whoever comes next, so that it does not run without end.
 */
export async function claimServer(directory: string): Promise<boolean> {
  const path = join(directory, FILE)
  const owner = Number(await readFile(path, 'utf8').catch(() => ''))
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return false
  await writeFile(path, `${process.pid}\n`)
  return true
}

export async function releaseServer(directory: string): Promise<void> {
  await rm(join(directory, FILE), { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
