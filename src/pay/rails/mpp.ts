import { randomBytes } from 'node:crypto'
import { Challenge, Credential, Receipt } from 'mppx'
import { Invariant } from '../../lib/errors.ts'
import { checkTimes } from '../evm/settler.ts'
import { toSeconds } from '../evm/token.ts'
import { PaymentRefused } from '../problem.ts'
import type { Hex, PaySettings } from '../settings.ts'
import { sha256 } from './digest.ts'
import { createIssuer, type Issuer } from './issuer.ts'
import { authorizationKey, type CheckedCredential, type PaymentCredential, type Quote, type Verifier } from './payment.ts'

type MppCredential = ReturnType<typeof Credential.deserialize>
type Authorized = { from: Hex; to: Hex; value: string; validAfter: string; validBefore: string; nonce: Hex; signature: Hex }

/** Hex, base64url and method names. */
const SAFE_KEY = /^[A-Za-z0-9:_-]{1,300}$/

export type MppDeps = {
  settings: PaySettings
  verifier: Verifier | undefined /** wall clock in milliseconds */
  now: () => number
}

/** Challenges and credentials of the `Payment` authentication scheme (docs/payments.md). */
export class MppRail {
  readonly #now: () => number
  readonly #settings: PaySettings
  readonly #verifier: Verifier | undefined
  readonly #issuer: Issuer
  readonly #previous: Issuer | undefined

  private constructor(deps: MppDeps, issuer: Issuer, previous: Issuer | undefined) {
    this.#now = deps.now
    this.#settings = deps.settings
    this.#verifier = deps.verifier
    this.#issuer = issuer
    this.#previous = previous
  }

  static async open(deps: MppDeps): Promise<MppRail> {
    const { secretKey, previousSecretKey } = deps.settings
    const previous = previousSecretKey === undefined ? undefined : await createIssuer(deps.settings, previousSecretKey)
    return new MppRail(deps, await createIssuer(deps.settings, secretKey), previous)
  }

  /** One header value per offered method, best first for a client that says what it prefers. */
  async challenge(quote: Quote, acceptPayment?: string): Promise<{ headers: string[]; id: string }> {
    const expires = new Date(this.#now() + this.#settings.challengeTtlS * 1000).toISOString()
    // Ids are a function of their content and become the authorization's nonce: without something random two requests of one
    // millisecond would share it, and one payer could not pay both.
    const externalId = randomBytes(16).toString('base64url')
    const methods = rankMethods(this.#settings.methods, acceptPayment)
    const challenges = await Promise.all(methods.map((method) => this.#issuer.offer(method, quote, { expires, externalId })))
    return { headers: challenges.map((challenge) => Challenge.serialize(challenge)), id: challenges[0]!.id }
  }

  /** `header` is one credential of the scheme, with its name. */
  decode(header: string, idemKey: string | undefined): PaymentCredential {
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
      check: (quote) => this.#check(header, credential, quote, idemKey),
    }
  }

  /** Made of what nobody has checked yet: text that no valid payment has must not reach the database as it is. */
  #keyOf(credential: MppCredential): string {
    const key = this.#claimedKey(credential)
    return SAFE_KEY.test(key) ? key : `unreadable:${sha256(key).toString('hex')}`
  }

  #claimedKey({ challenge, payload }: MppCredential): string {
    const { from, nonce } = (payload ?? {}) as Partial<Authorized>
    const { evm: settings } = this.#settings
    if (challenge.method !== 'evm' || !settings) return `${challenge.method}:${challenge.id}`
    return authorizationKey(settings.chainId, settings.token, String(from), String(nonce))
  }

  async #check(header: string, credential: MppCredential, quote: Quote, idemKey: string | undefined): Promise<CheckedCredential> {
    const { challenge } = credential
    const issuer =
      this.#previous && !Challenge.verify(challenge, { secretKey: this.#settings.secretKey }) ? this.#previous : this.#issuer
    const sender = await issuer.validate(header, quote, challenge)
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
    if (challenge.method === 'tempo') {
      const payment = { ...common, ...this.#ofTempo(credential, sender) }
      return { payer: payment.payer, isProven: true, verify: async () => payment }
    }
    const { verifier, auth, ...paid } = this.#ofEvm(credential.payload as Authorized)
    const verify = async () => ({
      ...common,
      ...paid,
      charge: { kind: 'authorization' as const, auth, gas: await verifier.simulate(auth) },
    })
    return { payer: paid.payer, isProven: true, verify }
  }

  #ofEvm(payload: Authorized) {
    const verifier = this.#verifier
    if (!verifier) throw new Invariant('no_chain', 'an evm challenge was issued without a chain')
    const auth = {
      from: payload.from,
      to: payload.to,
      value: BigInt(payload.value),
      validAfter: BigInt(payload.validAfter),
      validBefore: BigInt(payload.validBefore),
      nonce: payload.nonce,
      signature: payload.signature,
      // The issuer has recovered the payer's key from the signature.
      byContract: false,
    }
    checkTimes(auth, Math.floor(this.#now() / 1000))
    return {
      verifier,
      auth,
      method: 'evm',
      payer: payload.from.toLowerCase(),
      chainId: verifier.settings.chainId,
      validBefore: toSeconds(auth.validBefore),
    }
  }

  #ofTempo({ challenge, payload }: MppCredential, sender: string | undefined) {
    const { chainId, token } = this.#settings.tempo!
    return {
      method: 'tempo',
      payer: String(sender).toLowerCase(),
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
