import { randomBytes } from 'node:crypto'
import { Challenge, Credential, Errors, Receipt } from 'mppx'
import { evm, Mppx, tempo } from 'mppx/server'
import { Invariant } from '../lib/errors.ts'
import { sha256 } from './digest.ts'
import { ChainAway, openClient } from './evm/rpc.ts'
import type { EvmSettler } from './evm/settler.ts'
import { authorizationKey, type Presented, type Quote, type VerifiedPayment } from './payment.ts'
import { type PaymentProblem, PaymentRefused, type REASONS, refuse } from './problem.ts'
import type { Hex, PaySettings } from './settings.ts'

type MppCredential = ReturnType<typeof Credential.deserialize>
type Authorized = { from: Hex; to: Hex; value: string; validAfter: string; validBefore: string; nonce: Hex; signature: Hex }

/** Challenges and credentials of the `Payment` authentication scheme (payments.md §2). */
export class MppRail {
  readonly #settings: PaySettings
  readonly #settler: EvmSettler | undefined
  readonly #issuer: Issuer
  readonly #previous: Issuer | undefined

  constructor(settings: PaySettings, settler: EvmSettler | undefined) {
    this.#settings = settings
    this.#settler = settler
    this.#issuer = createIssuer(settings, settings.secretKey)
    this.#previous = settings.previousSecretKey === undefined ? undefined : createIssuer(settings, settings.previousSecretKey)
  }

  /** One header value per offered method, best first for a client that says what it prefers. */
  async challenge(quote: Quote, acceptPayment?: string): Promise<{ headers: string[]; id: string }> {
    const expires = new Date(Date.now() + this.#settings.challengeTtlS * 1000).toISOString()
    // Ids are a function of their content and become the authorization's nonce: without something random two requests of one
    // millisecond would share it, and one payer could not pay both.
    const externalId = randomBytes(16).toString('base64url')
    const methods = rankMethods(this.#settings.methods, acceptPayment)
    const challenges = await Promise.all(methods.map((method) => this.#issuer.offer(method, quote, { expires, externalId })))
    return { headers: challenges.map((challenge) => Challenge.serialize(challenge)), id: challenges[0]!.id }
  }

  /** `header` is one credential of the scheme, with its name. */
  decode(header: string, idemKey: string | undefined): Presented {
    let credential: MppCredential
    try {
      credential = Credential.deserialize(header)
    } catch {
      throw new PaymentRefused('malformed-credential', 'malformed', 'Credential is malformed: invalid base64url or JSON.')
    }
    return {
      rail: 'mpp',
      credentialHash: sha256(header),
      key: this.#keyOf(credential),
      idemKey,
      verify: (quote) => this.#verify(header, credential, quote, idemKey),
    }
  }

  #keyOf({ challenge, payload }: MppCredential): string {
    const { from, nonce } = (payload ?? {}) as Partial<Authorized>
    const { evm: settings } = this.#settings
    if (challenge.method !== 'evm' || !settings) return `${challenge.method}:${challenge.id}`
    return authorizationKey(settings.chainId, settings.token, String(from), String(nonce))
  }

  async #verify(header: string, credential: MppCredential, quote: Quote, idemKey: string | undefined): Promise<VerifiedPayment> {
    const { challenge } = credential
    const issuer =
      this.#previous && !Challenge.verify(challenge, { secretKey: this.#settings.secretKey }) ? this.#previous : this.#issuer
    await issuer.validate(header, quote, challenge)
    const common = {
      credentialHash: sha256(header),
      fingerprint: quote.fingerprint,
      idemKey,
      rail: 'mpp' as const,
      operation: quote.operation.id,
      tier: quote.operation.tier,
      amount: quote.amount,
      recipient: this.#settings.recipient.toLowerCase(),
      challengeId: challenge.id,
      key: this.#keyOf(credential),
    }
    if (challenge.method === 'tempo') return { ...common, ...this.#ofTempo(credential) }
    return { ...common, ...(await this.#ofEvm(credential.payload as Authorized)) }
  }

  async #ofEvm(payload: Authorized) {
    const settler = this.#settler
    if (!settler) throw new Invariant('no_settler', 'an evm challenge was issued without a settler')
    const signed = {
      from: payload.from,
      to: payload.to,
      value: BigInt(payload.value),
      validAfter: BigInt(payload.validAfter),
      validBefore: BigInt(payload.validBefore),
      nonce: payload.nonce,
      signature: payload.signature,
    }
    const auth = await settler.checkSignature(signed, Math.floor(Date.now() / 1000))
    return {
      method: 'evm',
      payer: payload.from.toLowerCase(),
      chainId: settler.settings.chainId,
      validBefore: Number(payload.validBefore),
      charge: { kind: 'authorization' as const, auth, gas: await settler.simulate(auth) },
    }
  }

  #ofTempo({ challenge, payload, source }: MppCredential) {
    const { chainId, token } = this.#settings.tempo!
    return {
      method: 'tempo',
      payer: (source?.split(':').at(-1) ?? 'unknown').toLowerCase(),
      chainId,
      validBefore: Math.floor(Date.parse(challenge.expires ?? '') / 1000),
      charge: { kind: 'transaction' as const, raw: (payload as { signature: Hex }).signature, token },
    }
  }

  /** Receipt header of a paid answer; the method's specification also wants to know which challenge on which chain. */
  static receipt({ method, hash, challengeId, chainId, at }: ReceiptFacts): string {
    return Receipt.serialize({
      method,
      status: 'success',
      reference: hash,
      timestamp: at.toISOString(),
      ...(challengeId === undefined ? {} : { challengeId }),
      chainId,
    } as Parameters<typeof Receipt.serialize>[0])
  }
}

/** `Accept-Payment: evm/charge, tempo/charge;q=0.5`. Without a match everything is offered. */
function rankMethods<M extends string>(methods: readonly M[], acceptPayment: string | undefined): readonly M[] {
  if (acceptPayment === undefined || methods.length < 2) return methods
  const weights = new Map<string, number>()
  for (const range of acceptPayment.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (method: M) => weights.get(`${method}/charge`) ?? weights.get(`${method}/*`) ?? weights.get('*/*') ?? 0
  const accepted = methods.filter((method) => weightOf(method) > 0)
  return accepted.length === 0 ? methods : accepted.toSorted((a, b) => weightOf(b) - weightOf(a))
}

export type ReceiptFacts = { method: string; hash: string; challengeId: string | undefined; chainId: number; at: Date }

type Offered = { expires: string; externalId: string }
type Issuer = {
  offer: (method: 'evm' | 'tempo', quote: Quote, offered: Offered) => Promise<Challenge.Challenge>
  /** HMAC, expiry, scope, amount, recipient, signature; throws PaymentRefused */
  validate: (header: string, quote: Quote, challenge: Challenge.Challenge) => Promise<void>
}

function createIssuer(settings: PaySettings, secretKey: string): Issuer {
  const evmMethod = settings.evm && createEvmMethod(settings)
  const tempoMethod = settings.tempo && createTempoMethod(settings)
  const evmSide = evmMethod && Mppx.create({ methods: [evmMethod], realm: settings.realm, secretKey })
  const tempoSide = tempoMethod && Mppx.create({ methods: [tempoMethod], realm: settings.realm, secretKey })
  const describe = ({ operation }: Quote) => operation.summary
  return {
    async offer(method, quote, offered) {
      const terms = { amount: quote.usd, scope: quote.scope, description: describe(quote), ...offered }
      if (method === 'evm' && evmSide) return evmSide.challenge.evm.charge(terms)
      if (method === 'tempo' && tempoSide) return tempoSide.challenge.tempo.charge({ ...terms, chainId: settings.tempo!.chainId })
      throw new Invariant('no_method', `payment method ${method} is not configured`)
    },
    async validate(header, quote, challenge) {
      const side = challenge.method === 'tempo' ? tempoSide : evmSide
      if (!side) throw new PaymentRefused('invalid-challenge', 'method', 'Challenge is invalid: the method is not offered here.')
      // `tempo` pins the echoed id; the HMAC protects it.
      const externalId = (challenge.request as { externalId?: string }).externalId
      const request = { amount: quote.usd, ...(externalId === undefined ? {} : { externalId }) }
      const chain = challenge.method === 'tempo' ? { chainId: settings.tempo!.chainId } : {}
      await side
        .validateCredential(header, { realm: settings.realm, scope: quote.scope, request: { ...request, ...chain } as never })
        .catch((error: unknown) => {
          throw toRefusal(error)
        })
    },
  }
}

function createEvmMethod({ evm: chain, recipient }: PaySettings) {
  const { chainId, token, tokenName, tokenVersion, decimals } = chain!
  return evm.charge({
    authorization: { name: tokenName, version: tokenVersion },
    chainId,
    currency: token,
    decimals,
    recipient,
    // Settling is ours: the lookup runs between verification and the transfer, and the ledger knows both.
    settle: () => Promise.reject(new Invariant('settled_elsewhere', 'mppx was asked to settle')),
  })
}

function createTempoMethod({ tempo: chain, recipient }: PaySettings) {
  const client = openClient({ url: chain!.rpcUrl })
  return tempo.charge({
    currency: chain!.token,
    decimals: chain!.decimals,
    recipient,
    // A payer that has sent the money before the lookup could not be spared when there is nothing to sell.
    supportedModes: ['pull'],
    getClient: () => Object.assign(client, { chain: { id: chain!.chainId } }) as never,
  })
}

const PROBLEMS: [new (...args: never[]) => Error, PaymentProblem][] = [
  [Errors.InvalidChallengeError, 'invalid-challenge'],
  [Errors.PaymentExpiredError, 'payment-expired'],
  [Errors.InvalidPayloadError, 'invalid-payload'],
  [Errors.MalformedCredentialError, 'malformed-credential'],
]

/** Our own sentence for each of the library's checks that compare one field. */
const FIELD_REASONS: [RegExp, keyof typeof REASONS][] = [
  [/recipient mismatch/i, 'recipient_mismatch'],
  [/amount mismatch/i, 'amount_mismatch'],
  [/challenge hash mismatch/i, 'nonce_mismatch'],
  [/source mismatch/i, 'source_mismatch'],
  [/signature mismatch/i, 'invalid_signature'],
  [/not valid yet/i, 'not_yet_valid'],
  [/has expired/i, 'expired'],
]

function toRefusal(error: unknown): Error {
  const known = PROBLEMS.find(([kind]) => error instanceof kind)
  // Texts of these four hold nothing but what the client sent.
  if (known) return new PaymentRefused(known[1], known[1], (error as Error).message)
  if (error instanceof Errors.PaymentError) {
    const field = FIELD_REASONS.find(([pattern]) => pattern.test(error.message))
    return refuse(field ? field[1] : 'transfer_rejected')
  }
  if (isSchemaError(error)) return new PaymentRefused('invalid-payload', 'invalid-payload', 'Credential payload is invalid.')
  if (error instanceof ChainAway) return error
  // What is left: signatures that cannot be recovered, and a node that is away (tempo asks one).
  return isTransportError(error) ? new ChainAway('rpc', error) : refuse('invalid_signature')
}

const isSchemaError = (error: unknown) =>
  error instanceof Error && /ZodError|\$ZodError/.test(error.name || error.constructor.name)
const isTransportError = (error: unknown) => error instanceof Error && /HttpRequestError|TimeoutError/.test(error.name)
