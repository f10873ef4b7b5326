import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that operating systems give to outgoing connections, one of which could take the port before its server starts, and above
 * those that `fetch` refuses as the ports of other protocols (the last one is 10080).
 */
const [LOWEST, HIGHEST] = [11_000, 32_000]
const TRIES = 100

/** A port of the loopback address that nobody listens on now, for a program that must be told its port. */
export async function freePort(): Promise<number> {
  for (let i = 0; i < TRIES; i++) {
    const port = randomInt(LOWEST, HIGHEST)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
