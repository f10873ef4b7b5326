import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const GIVEN = /^[A-Za-z0-9._-]{1,64}$/

/** Makes ids that no two processes share: a random start, then a counter. A caller's own id is kept when it is harmless. */
export function requestIds(): (raw: IncomingMessage) => string {
  const start = randomBytes(6).toString('base64url')
  let count = 0
  return (raw) => {
    const given = raw.headers['x-request-id']
    return typeof given === 'string' && GIVEN.test(given) ? given : `${start}-${(++count).toString(36)}`
  }
}
