import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import type { Route } from '../api/collect-routes.ts'
import { HttpError, Unavailable } from '../api/http/errors.ts'
import { ANYONE } from '../api/route.ts'
import type { Client } from '../lib/turn-queue.ts'
import type { ActiveKey, KeyRing } from '../store/access/key-ring.ts'
import { AnonymousNames } from './anonymous-names.ts'
import { type ClientAddress, isLoopback, networkOf } from './client.ts'
import { endHeaders, explainRefusal, readGivenKey } from './key-of-request.ts'
import { checkRights, METER_PLAN, type Plan, type Plans } from './plans.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Decision } from './rate-limit-account.ts'
import { retryAfter, setLimitHeaders } from './rate-limit-headers.ts'
import { checkOperation, checkPlace } from './restrictions.ts'
import type { Shop } from './shop.ts'
import type { UsageCounter } from './usage.ts'
import { WrongKeys } from './wrong-keys.ts'

export type AccessEvents = {
  limited: (plan: string, policy: 'burst' | 'daily' | 'wrong_keys') => void
  authFailed: (reason: string) => void
}

/** Shared by all networks of a process. */
export type AccessParts = {
  plans: Plans
  ring: KeyRing
  limiter: RateLimiter
  usage: UsageCounter
  wrongKeys: WrongKeys
  shop: Shop
  clientAddress: ClientAddress
  /** keeps addresses of callers out of the shared counters */
  pepper: string
  events?: AccessEvents
}

export type NetworkAccessOptions = {
  network: { name: string; kind: 'main' | 'test' }
  /** Only for a server on a loopback address: tools on the same machine are not limited. */
  exemptLoopback?: boolean
  /** `<…>; rel="license"` */
  licenseLink: string
}

/** Caller of a request, with the plan that applies. */
export type Caller = {
  plan: Plan
  /** bucket that pays */
  account: string
  key: ActiveKey | undefined
  /** sent a key of another service */
  hasForeignKey: boolean
  address: string
  isExempt: boolean
}

/** Part of a call that is made of several requests. */
export type ChargedPart = Pick<Route, 'cost' | 'needs'> & { schema?: Pick<Route['schema'], 'operationId'> }

type SocketAllowance = { client: string; connections: number; isValid: () => boolean }

type SocketRequest = Pick<IncomingMessage, 'socket' | 'headers' | 'url'>

/** Operations that hold a connection. */
const STREAM = { path: '/v1/sse', operationId: 'stream-events' }
const SOCKET = 'open-websocket'

const PAID_SHARE = 3

const FOREIGN_KEY = 'the key sent is not a key of this service: answered as anonymous'

/** A point more for each of these in an answer, or in a block that had to be read for it. */
const POINT_BYTES = 256 * 1024

/** A page of a long list after the first: half of what a request for it would cost, since it needs no answer of its own. */
const PAGE_POINTS = 1
/** A page that the plan has no points for yet is tried again after so long. */
const PAGE_WAIT_MS = 250

const NO_EVENTS: AccessEvents = { limited: () => {}, authFailed: () => {} }

/** Keys, plans and limits of one network's address. */
export class NetworkAccess {
  readonly #parts: AccessParts
  readonly #options: NetworkAccessOptions
  readonly #events: AccessEvents
  readonly #callers = new WeakMap<object, Caller>()
  readonly #anonymous: AnonymousNames

  constructor(parts: AccessParts, options: NetworkAccessOptions) {
    this.#parts = parts
    this.#anonymous = new AnonymousNames(parts.pepper)
    this.#options = options
    this.#events = parts.events ?? NO_EVENTS
  }

  /** Caller of an admitted request; for the log. */
  callerOf(request: FastifyRequest): Caller | undefined {
    return this.#callers.get(request.raw)
  }

  /** Client whose turn a request waits for where answers take long. A plan that is paid for has three times the share of the free one. */
  readonly clientOf = (request: FastifyRequest): Client => {
    const caller = this.#callers.get(request.raw)
    if (!caller) return ANYONE
    return { name: caller.account, share: caller.plan === this.#parts.plans.free ? 1 : PAID_SHARE }
  }

  /** Runs before anything else. Preflights and the page cost nothing; neither does what is refused for its key. */
  readonly guard: onRequestHookHandler = (request, reply, done) => {
    const { url, config } = request.routeOptions
    const { route, isMeter = false } = config
    // Files of the page are not the API; what leads nowhere (no url) counts.
    if (request.method === 'OPTIONS' || (url !== undefined && !url.startsWith('/v1'))) return done()
    const caller = this.#meet(request, reply)
    checkOperation(caller.key, route?.schema.operationId ?? config.operationId)
    checkRights(caller.plan, route?.needs)
    const charged = this.#charge(caller, route?.cost ?? 1, reply, isMeter)
    if (charged) charged.then(() => done(), done)
    else done()
  }

  /** Charges messages that come over HTTP and are not requests of their own, each like the cheapest route. Throws as `guard` does. */
  async chargeMessages(request: FastifyRequest, reply: FastifyReply, count: number): Promise<void> {
    await this.#charge(this.#meet(request, reply), count, reply)
  }

  /** Charges a call that comes over HTTP in a message, like the requests it is made of. Throws as `guard` does. */
  async chargeCall(request: FastifyRequest, reply: FastifyReply, parts: readonly ChargedPart[]): Promise<void> {
    const caller = this.#meet(request, reply)
    for (const { needs, schema } of parts) {
      checkOperation(caller.key, schema?.operationId)
      checkRights(caller.plan, needs)
    }
    for (const { cost } of parts) await this.#charge(caller, cost, reply)
  }

  #meet(request: FastifyRequest, reply: FastifyReply): Caller {
    const caller = this.identify(request.socket.remoteAddress, request.headers)
    this.#callers.set(request.raw, caller)
    if (caller.hasForeignKey) reply.header('x-access-warning', FOREIGN_KEY)
    if (caller.key) reply.headers(endHeaders(this.#parts, caller.key))
    return caller
  }

  /** Throws 429. Looking after one's own account is not paid from its limits; what is no route costs as much as the cheapest one. */
  #charge(caller: Caller, cost: number, reply: FastifyReply, isOwnAccount = false): void | Promise<void> {
    const { key, isExempt } = caller
    const isMeter = key !== undefined && isOwnAccount
    const usedPoints = isMeter ? 0 : cost
    if (isExempt) {
      if (key) this.#parts.usage.add(key.id, usedPoints, true)
      return
    }
    const [account, plan] = isMeter ? [`${caller.account}/usage`, METER_PLAN] : [caller.account, caller.plan]
    const decision = this.#parts.limiter.decide(account, plan, cost)
    if ('then' in decision) return decision.then((later) => this.#settle(caller, plan, later, usedPoints, reply))
    this.#settle(caller, plan, decision, usedPoints, reply)
  }

  #settle(caller: Caller, plan: Plan, decision: Decision, usedPoints: number, reply: FastifyReply): void {
    if (caller.key) this.#parts.usage.add(caller.key.id, usedPoints, decision.allowed)
    setLimitHeaders(reply, plan, decision)
    if (decision.allowed) return
    this.#events.limited(caller.plan.name, decision.policy)
    throw new HttpError(429, 'rate_limited', 'rate limit exceeded', { 'retry-after': retryAfter(decision) })
  }

  /** Charges an answer by the bytes behind it. The size is known after the answer, so the points are owed by the next request. */
  readonly chargeBytes = (request: FastifyRequest, bytes: number): void => {
    const points = Math.floor(bytes / POINT_BYTES)
    const caller = points > 0 ? this.#callers.get(request.raw) : undefined
    if (!caller) return
    if (!caller.isExempt) this.#parts.limiter.owe(caller.account, caller.plan, points)
    if (caller.key) this.#parts.usage.addPoints(caller.key.id, points)
  }

  /**
   * Pays for a further page of a long list that is being sent: it is held back until the plan has the points, so that the list goes as
   * fast as the plan allows. Throws when that is not today, or when the key has ended.
   */
  readonly payForPage = async (request: FastifyRequest): Promise<void> => {
    const caller = this.#callers.get(request.raw)
    if (!caller) return
    const { key, account, plan, isExempt } = caller
    if (key && !this.#parts.ring.isActive(key.id)) throw new HttpError(401, 'key_revoked', 'the API key was revoked')
    for (let isPaid = isExempt; !isPaid; ) {
      const decision = this.#parts.limiter.take(account, plan, PAGE_POINTS)
      isPaid = decision.allowed
      if (isPaid) break
      if (decision.remainingToday !== undefined && decision.remainingToday < PAGE_POINTS) {
        this.#events.limited(plan.name, 'daily')
        throw new HttpError(429, 'rate_limited', 'rate limit exceeded')
      }
      await setTimeout(PAGE_WAIT_MS)
      if (request.socket.destroyed) throw new HttpError(499, 'client_gone', 'the client has gone')
    }
    if (key) this.#parts.usage.addPoints(key.id, PAGE_POINTS)
  }

  /** The terms of use go with every answer; a list has links of its own beside it. */
  readonly addLicense: onSendHookHandler = (_request, reply, payload, done) => {
    const link = reply.getHeader('link')
    reply.header('link', link === undefined ? this.#options.licenseLink : `${String(link)}, ${this.#options.licenseLink}`)
    done(null, payload)
  }

  /** Throws 401, 403, 429 or 503; without a key the caller is a free one. */
  identify(socketAddress: string | undefined, headers: FastifyRequest['headers']): Caller {
    const given = readGivenKey(headers)
    const caller = this.#identifyAs(given === 'foreign' ? undefined : given?.text, socketAddress, headers)
    return given === 'foreign' ? { ...caller, hasForeignKey: true } : caller
  }

  #identifyAs(text: string | undefined, socketAddress: string | undefined, headers: FastifyRequest['headers']): Caller {
    const address = this.#parts.clientAddress(socketAddress, headers)
    const key = text === undefined ? undefined : this.#checkKey(text, address)
    if (key) checkPlace(key, { origin: headers.origin, address, network: this.#options.network.name })
    const who = key
      ? { plan: this.#planOf(key), account: key.account }
      : { plan: this.#parts.plans.free, account: this.#anonymous.of(address) }
    return { ...who, key, hasForeignKey: false, address, isExempt: this.#isExempt(address, headers) }
  }

  /** Whose connection a WebSocket is, how many that plan has, and whether that still holds; throws as `identify` does. */
  allowSocket({ socket, headers, url = '' }: SocketRequest): SocketAllowance {
    const operation = url.split('?', 1)[0] === STREAM.path ? STREAM.operationId : SOCKET
    return this.#allowCaller(this.identify(socket.remoteAddress, headers), operation)
  }

  /** Admission of a client that sends its key in a WebSocket message, which is always one of our keys. */
  allowSocketKey({ socket, headers }: SocketRequest, key: string): SocketAllowance {
    return this.#allowCaller(this.#identifyAs(key, socket.remoteAddress, headers), SOCKET)
  }

  #allowCaller({ plan, account, key, isExempt }: Caller, operation: string): SocketAllowance {
    checkOperation(key, operation)
    return {
      client: account,
      connections: isExempt ? Number.POSITIVE_INFINITY : plan.sockets,
      isValid: () => key === undefined || this.#parts.ring.isActive(key.id),
    }
  }

  #checkKey(text: string, address: string): ActiveKey {
    const { ring } = this.#parts
    if (!ring.isLoaded) throw new Unavailable('keys_unavailable', 'keys cannot be checked at the moment', 2)
    const found = ring.find(text)
    if (typeof found !== 'string' && found.role === 'client') return found
    const reason = typeof found === 'string' ? found : 'unknown'
    this.#events.authFailed(reason)
    if (this.#parts.wrongKeys.add(networkOf(address))) {
      this.#events.limited('none', 'wrong_keys')
      throw new HttpError(429, 'too_many_wrong_keys', 'too many wrong keys', { 'retry-after': String(WrongKeys.WINDOW_SECONDS) })
    }
    throw new HttpError(401, `key_${reason}`, explainRefusal(this.#parts, reason, text), {
      'www-authenticate': 'ApiKey header="apikey", Bearer',
    })
  }

  #planOf(key: ActiveKey): Plan {
    const plan = this.#parts.plans.byName.get(key.plan)
    if (!plan) {
      this.#events.authFailed('plan')
      throw new HttpError(403, 'plan_unknown', `plan ${key.plan} is no longer offered`)
    }
    if (this.#options.network.kind === 'test' && !plan.testNetworks && !key.testNetworks) {
      this.#events.authFailed('network')
      throw new HttpError(
        403,
        'network_not_in_plan',
        `plan ${plan.name} is for the main network; leave the key out for free access`,
      )
    }
    return plan
  }

  #isExempt(address: string, headers: FastifyRequest['headers']): boolean {
    // A proxy on this machine that is not configured as trusted brings everybody in from loopback: that is not our own tools.
    return (
      this.#options.exemptLoopback === true &&
      isLoopback(address) &&
      headers['x-forwarded-for'] === undefined &&
      headers.forwarded === undefined
    )
  }
}
