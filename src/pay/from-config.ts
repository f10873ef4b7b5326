import { Value } from 'typebox/value'
import { type PaidConfig, PaidSchema } from '../config/paid-schema.ts'
import { OperatorError } from '../lib/errors.ts'
import { type Hex, hostOf, leaseFor, type PaySettings } from './settings.ts'
import { readKeyFile } from './settler-key.ts'

/** Origin that offers name; `url` is where the surface listens. */
export const baseUrlFrom = (paid: PaidConfig, url: string): string => (paid.base_url ?? url).replace(/\/+$/, '')

/** Settings of a surface that takes payments on the configured chain. */
export function settingsFrom(paid: PaidConfig, baseUrl: string): PaySettings {
  const { evm, secret_key, recipient } = paid
  const missing = [
    ...(secret_key === undefined ? ['paid.secret_key (PAID_SECRET_KEY)'] : []),
    ...(recipient === undefined ? ['paid.recipient (PAID_RECIPIENT)'] : []),
    ...(evm && evm.settler_key === undefined && evm.settler_key_file === undefined && evm.facilitator_url === undefined
      ? ['paid.evm.settler_key (PAID_SETTLER_KEY, or PAID_SETTLER_KEY_FILE), or paid.evm.facilitator_url']
      : []),
  ]
  if (missing.length > 0 || secret_key === undefined || recipient === undefined)
    throw new OperatorError('bad_payment_settings', `the paid surface needs ${missing.join(', ')}`)
  const chains = chainsFrom(paid)
  const settlerKey = evm?.settler_key_file && readKeyFile(evm.settler_key_file, evm.settler_key_password)
  return {
    baseUrl,
    realm: paid.realm ?? hostOf(baseUrl),
    secretKey: secret_key,
    previousSecretKey: paid.previous_secret_key,
    recipient: recipient as Hex,
    ...paceFrom(paid),
    ...termsFrom(paid),
    ...chains,
    ...(chains.evm && settlerKey ? { evm: { ...chains.evm, settlerKey } } : {}),
  }
}

/** Where money is taken, without what only a surface that takes it needs to know. */
export function chainsFrom({ methods, evm, tempo }: PaidConfig): Pick<PaySettings, 'methods' | 'evm' | 'tempo'> {
  return {
    methods,
    ...(evm && {
      evm: {
        chainId: evm.chain_id,
        rpcUrl: evm.rpc_url,
        moreRpcUrls: evm.more_rpc_urls,
        token: evm.token as Hex,
        tokenName: evm.token_name,
        tokenVersion: evm.token_version,
        decimals: evm.decimals,
        settlerKey: (evm.settler_key ?? '0x') as Hex,
        facilitator: evm.facilitator_url === undefined ? undefined : { url: evm.facilitator_url, token: evm.facilitator_token },
        batchMs: evm.batch_ms,
        batchSize: evm.batch_size,
        maxGas: evm.max_gas,
        nativeUsd: evm.native_usd,
        maxGasCostPercent: evm.max_gas_cost_percent,
      },
    }),
    ...(tempo && {
      tempo: { chainId: tempo.chain_id, rpcUrl: tempo.rpc_url, token: tempo.token as Hex, decimals: tempo.decimals },
    }),
  }
}

/** Terms that hold on any chain, the local one included. */
export const termsFrom = (paid: PaidConfig) => ({
  challengeTtlS: paid.challenge_ttl_s,
  confirmTimeoutMs: paid.confirm_timeout_ms,
  leaseMs: leaseFor(paid.confirm_timeout_ms),
  chargeNoContent: paid.charge_no_content,
  limits: {
    challengesPerS: paid.limits.challenges_per_second,
    challengeBurst: paid.limits.challenge_burst,
    failuresPerMinute: paid.limits.failures_per_minute,
    failureBurst: paid.limits.failure_burst,
    unsoldPerMinute: paid.limits.unsold_per_minute,
    unsoldBurst: paid.limits.unsold_burst,
  },
  contactEmail: paid.contact_email,
  docsUrl: paid.docs_url,
})

/** How a chain is waited for; the local one has its own pace. */
const paceFrom = (paid: PaidConfig) => ({
  confirmations: paid.confirmations,
  watchBlocks: paid.watch_blocks,
  pollMs: paid.poll_ms,
})

const DEFAULTS = Value.Default(PaidSchema, {}) as PaidConfig

/** Terms of a surface for which nothing is configured. */
export const PAY_DEFAULTS = { methods: DEFAULTS.methods, ...termsFrom(DEFAULTS), ...paceFrom(DEFAULTS) }
