import { AstrolabeError } from '../../lib/errors.ts'

/** The caller's input is wrong: 400, the body names the parameter. */
export class BadRequest extends AstrolabeError {
  readonly param: string | undefined
  constructor(message: string, param?: string, code = 'invalid_parameter') {
    super(code, message, param === undefined ? {} : { param })
    this.param = param
  }
}

/** Nothing there where the contract says 204; a handler may also return undefined. */
export class Missing extends AstrolabeError {
  constructor() {
    super('missing', 'nothing found')
  }
}

/** We cannot answer now: 503 with Retry-After. */
export class Unavailable extends AstrolabeError {
  readonly retryAfterSeconds: number
  constructor(code: string, message: string, retryAfterSeconds = 1, cause?: unknown) {
    super(code, message, {}, cause)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A status of the transport itself (405, 413, 414 …) whose text is fixed. */
export class HttpError extends AstrolabeError {
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(code, message)
    this.status = status
    this.headers = headers
  }
}

export const reorganising = () => new Unavailable('chain_reorganising', 'the chain is being reorganised')
