import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { AstrolabeError } from '../../lib/errors.ts'
import { createAddressPolicy } from './address-policy.ts'

export type TargetSettings = {
  allowHttp: boolean
  /** addresses or CIDR ranges that may be reached although they are not public */
  privateTargets: readonly string[]
  timeoutMs: number
  /** gives all addresses of a name; the system's by default */
  resolve?: (hostname: string) => Promise<string[]>
}

/** `status` is absent when there was no answer. */
export type Outcome = {
  ok: boolean
  status?: number
  error?: string
  durationMs: number /** ended by us: says nothing about the receiver */
  isAborted?: boolean
}

/** The target must not be reached, whoever asks: not a matter of trying again, but names may point elsewhere tomorrow. */
export class TargetRefused extends AstrolabeError {}

const HEADER_BYTES = 8 * 1024
/** An answer says nothing but its status: the rest is read so that the connection can be used again, up to here. */
const BODY_BYTES = 64 * 1024
const BODY_MS = 2000
/** Shorter than the time after which common servers close an idle connection. */
const IDLE_MS = 4000

/**
 * Posts to targets that users name. A name is resolved for each new connection, all of its addresses must be allowed, and the connection
 * goes to one of exactly those: there is no second look-up that could answer otherwise. A connection that is used again is checked again.
 */
export class Poster {
  readonly #settings: TargetSettings
  readonly #isAllowed: (address: string) => boolean
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent }

  constructor(settings: TargetSettings) {
    this.#settings = settings
    this.#isAllowed = createAddressPolicy(settings.privateTargets)
    const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 256, lookup: this.#lookup }
    this.#agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  /** Throws `TargetRefused` for an address that cannot be a target now. */
  async check(address: string): Promise<URL> {
    const url = this.#parse(address)
    const host = bareHost(url)
    if (isIP(host) === 0) await this.#resolve(host)
    return url
  }

  /** Never rejects: what went wrong is in the outcome. */
  async post(address: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Outcome> {
    const startedAt = performance.now()
    const finish = (outcome: Omit<Outcome, 'durationMs'>) => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startedAt),
    })
    try {
      const url = this.#parse(address)
      const status = await this.#request(url, headers, body, signal)
      if (status >= 200 && status < 300) return finish({ ok: true, status })
      const isRedirect = status >= 300 && status < 400
      return finish({ ok: false, status, error: isRedirect ? 'redirects are not followed' : `answered ${status}` })
    } catch (error) {
      return finish({ ok: false, error: describe(error), isAborted: signal.aborted })
    }
  }

  #parse(address: string): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (!url || url.hostname === '') throw new TargetRefused('target_url', 'the URL is not valid')
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#settings.allowHttp))
      throw new TargetRefused('target_protocol', 'the URL must begin with https://')
    if (url.username !== '' || url.password !== '' || url.hash !== '')
      throw new TargetRefused('target_url', 'the URL must have no user, password or fragment')
    // A name is checked when it is resolved; the parser has brought all ways of writing an address into one.
    const host = bareHost(url)
    if (isIP(host) !== 0 && !this.#isAllowed(host)) throw refused(host)
    return url
  }

  async #resolve(hostname: string): Promise<string[]> {
    const { resolve = resolveBySystem } = this.#settings
    const addresses = await resolve(hostname).catch((error: NodeJS.ErrnoException) => {
      throw new TargetRefused('target_unknown', `${hostname} cannot be resolved (${error.code ?? error.message})`)
    })
    if (addresses.length === 0) throw new TargetRefused('target_unknown', `${hostname} has no address`)
    // One address of a name that is not public is enough: nobody has such a name by accident.
    const wrong = addresses.find((each) => !this.#isAllowed(each))
    if (wrong !== undefined) throw refused(hostname)
    return addresses
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    this.#resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error: Error) => callback(error, ''),
    )
  }

  async #request(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
    for (;;) {
      let wasReused = false
      try {
        return await this.#attempt(url, headers, body, signal, (reused) => {
          wasReused = reused
        })
      } catch (error) {
        // The receiver closed an idle connection while we wrote to it: nothing was said about this request.
        const { code } = error as NodeJS.ErrnoException
        if (!wasReused || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error
      }
    }
  }

  #attempt(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
    onSocket: (isReused: boolean) => void,
  ): Promise<number> {
    const protocol = url.protocol as 'http:' | 'https:'
    const { request: open } = protocol === 'https:' ? https : http
    return new Promise((resolve, reject) => {
      const request = open(url, {
        method: 'POST',
        agent: this.#agents[protocol],
        maxHeaderSize: HEADER_BYTES,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        signal,
      })
      const late = setTimeout(
        () => request.destroy(new AstrolabeError('target_timeout', 'no answer in time')),
        this.#settings.timeoutMs,
      )
      request.on('socket', (socket) => {
        onSocket(request.reusedSocket)
        if (request.reusedSocket && !this.#isStillAllowed(socket)) request.destroy(refused(url.hostname))
      })
      request.on('error', (error) => {
        clearTimeout(late)
        reject(error)
      })
      request.on('response', (response) => {
        clearTimeout(late)
        drain(response)
        resolve(response.statusCode ?? 0)
      })
      request.end(body)
    })
  }

  #isStillAllowed({ remoteAddress }: Socket): boolean {
    return remoteAddress !== undefined && this.#isAllowed(remoteAddress)
  }
}

function drain(response: http.IncomingMessage): void {
  let bytes = 0
  const late = setTimeout(() => response.destroy(), BODY_MS)
  late.unref()
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > BODY_BYTES) response.destroy()
  })
  response.on('close', () => clearTimeout(late))
  response.on('error', () => {})
}

const resolveBySystem = async (hostname: string) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

const bareHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const refused = (host: string) => new TargetRefused('target_private', `${host} is not a public address`)

/** One line for the owner; what the system says of a connection is no secret of ours. */
function describe(error: unknown): string {
  if (error instanceof AstrolabeError) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  return (code ?? message ?? 'failed').slice(0, 200)
}
