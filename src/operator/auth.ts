import type { FastifyRequest } from 'fastify'
import { networkOf } from '../access/client.ts'
import { WrongKeys } from '../access/wrong-keys.ts'
import { BadRequest, HttpError, Unavailable } from '../api/http/errors.ts'
import type { ActiveKey, KeyRing } from '../store/access/key-ring.ts'

/** `{"error":"access denied"}`: the one answer with a shape of its own (docs/rules.md R53). */
export class AccessDenied extends HttpError {
  constructor() {
    super(403, 'access_denied', 'access denied')
  }
}

/** Authentication of operators: keys with a role, from the same ring as those of callers. */
export class OperatorAuth {
  readonly #ring: KeyRing
  readonly #wrongKeys = new WrongKeys()

  constructor(ring: KeyRing) {
    this.#ring = ring
  }

  check(request: FastifyRequest, needsAdmin: boolean): ActiveKey {
    const text = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (text === undefined) throw new BadRequest('missing key in request header', undefined, 'missing_key')
    if (!this.#ring.isLoaded) throw new Unavailable('keys_unavailable', 'keys cannot be checked at the moment', 2)
    const key = this.#ring.find(text)
    if (typeof key === 'string' || key.role === 'client') {
      if (this.#wrongKeys.add(networkOf(request.socket.remoteAddress ?? '')))
        throw new HttpError(429, 'too_many_wrong_keys', 'too many wrong keys', {
          'retry-after': String(WrongKeys.WINDOW_SECONDS),
        })
      throw new HttpError(401, 'unauthorized', 'Unauthorized', { 'www-authenticate': 'Bearer' })
    }
    if (needsAdmin && key.role !== 'admin') throw new AccessDenied()
    return key
  }
}
