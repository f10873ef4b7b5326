import { type Challenge, Errors } from 'mppx'
import { Mppx } from 'mppx/server/core'
import { Invariant } from '../../lib/errors.ts'
import { ChainAway } from '../evm/rpc.ts'
import { type PaymentProblem, PaymentRefused, type REASONS, refuse } from '../problem.ts'
import type { PaySettings } from '../settings.ts'
import { createEvmMethod } from './evm-method.ts'
import type { Quote } from './payment.ts'
import { blameNode, createTempoMethod } from './tempo-method.ts'

type Offered = { expires: string; externalId: string }
/** Makes challenges with one secret and recognises them again. */
export type Issuer = {
  offer: (method: 'evm' | 'tempo', quote: Quote, offered: Offered) => Promise<Challenge.Challenge>
  /** HMAC, expiry, scope, amount, recipient, signature; throws PaymentRefused. The proven payer, where the method finds it itself. */
  validate: (header: string, quote: Quote, challenge: Challenge.Challenge) => Promise<string | undefined>
}

export async function createIssuer(settings: PaySettings, secretKey: string): Promise<Issuer> {
  const evmMethod = settings.evm && createEvmMethod(settings)
  const tempoMethod = settings.tempo && (await createTempoMethod(settings))
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
      const route = { realm: settings.realm, scope: quote.scope, request: { ...request, ...chain } as never }
      const validated = await blameNode(() => side.validateCredential(header, route)).catch((error: unknown) => {
        throw toRefusal(error)
      })
      return (validated.details as { sender?: string } | undefined)?.sender
    },
  }
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
  if (error instanceof PaymentRefused || error instanceof ChainAway) return error
  const known = PROBLEMS.find(([kind]) => error instanceof kind)
  // Texts of these four hold nothing but what the client sent.
  if (known) return new PaymentRefused(known[1], known[1], (error as Error).message)
  if (error instanceof Errors.PaymentError) {
    const field = FIELD_REASONS.find(([pattern]) => pattern.test(error.message))
    return refuse(field ? field[1] : 'transfer_rejected')
  }
  if (isSchemaError(error)) return new PaymentRefused('invalid-payload', 'invalid-payload', 'Credential payload is invalid.')
  // The remaining case: signatures that cannot be recovered.
  return refuse('invalid_signature')
}

const isSchemaError = (error: unknown) =>
  error instanceof Error && /ZodError|\$ZodError/.test(error.name || error.constructor.name)
