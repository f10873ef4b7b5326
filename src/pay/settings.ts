import { isAddress, isHex } from 'viem'
import { OperatorError } from '../lib/errors.ts'

export type Hex = `0x${string}`

export type EvmSettings = {
  chainId: number
  rpcUrl: string
  /** asked when the first node does not answer */
  moreRpcUrls?: readonly string[] | undefined
  /** token with EIP-3009 */
  token: Hex
  /** EIP-712 domain of the token; checked against the contract at start */
  tokenName: string
  tokenVersion: string
  decimals: number
  /** key that pays gas and owns nothing else; not used where a facilitator settles */
  settlerKey: Hex
  /** settles instead of us, and pays the gas */
  facilitator?: FacilitatorSettings | undefined
  /** payments that come within so many milliseconds share a transaction; 0 or none: each has its own */
  batchMs?: number | undefined
  batchSize?: number | undefined
  /** units of gas that a transfer may take; contracts that are payers decide about it */
  maxGas: number
  /** value of the chain's own coin in dollars; 0: worth nothing, gas may cost what it wants */
  nativeUsd: number
  /** what gas may cost, in percent of the price it collects */
  maxGasCostPercent: number
}

/** `token`: sent as bearer token */
export type FacilitatorSettings = { url: string; token?: string | undefined; timeoutMs?: number | undefined }

export type TempoSettings = { chainId: number; rpcUrl: string; token: Hex; decimals: number }

export type PaySettings = {
  /** public origin; goes into offers and descriptions, the Host header never does */
  baseUrl: string
  realm: string
  /** HMAC key of the challenges, at least 32 bytes, the same on all replicas */
  secretKey: string
  /** accepted until its challenges have expired */
  previousSecretKey?: string | undefined
  /** MPP methods in the order they are offered; x402 is offered when `evm` is among them */
  methods: readonly ('evm' | 'tempo')[]
  evm?: EvmSettings | undefined
  tempo?: TempoSettings | undefined
  recipient: Hex
  challengeTtlS: number
  confirmTimeoutMs: number
  pollMs: number
  /** blocks that must include the payment's one */
  confirmations: number
  /** blocks after which a payment is believed to stay */
  watchBlocks: number
  chargeNoContent: boolean
  contactEmail?: string | undefined
  docsUrl?: string | undefined
  limits: PayLimits
  /** how long others keep off a payment that is being worked on */
  leaseMs: number
}

/** Token buckets per client address (IPv6: per /64). */
export type PayLimits = {
  challengesPerS: number
  challengeBurst: number
  failuresPerMinute: number
  failureBurst: number
  unsoldPerMinute: number
  unsoldBurst: number
}

/** Host of the public origin; of what is none, which `checkSettings` refuses, nothing. */
export const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '')

/** Time of a payment beside the wait for its transaction: the lookup, and calls to the chain. */
const WORK_MS = 15_000

/** Lease of a payment: as long as a request may still work on it. */
export const leaseFor = (confirmTimeoutMs: number): number => confirmTimeoutMs + WORK_MS

/** Below that a signed authorization could expire before its transaction is mined. */
const MIN_TTL_S = 12
const MIN_SECRET_BYTES = 32
/** Prices are written in millionths of a dollar. */
export const PRICE_DECIMALS = 6

/** One error that names everything wrong: nothing about money is guessed. */
export function checkSettings(settings: PaySettings): void {
  const problems: string[] = []
  const { evm, tempo, methods } = settings
  if (!URL.canParse(settings.baseUrl)) problems.push('base_url: not a URL')
  else if (!isSafeOrigin(new URL(settings.baseUrl)))
    problems.push('base_url: payment offers need https (plain http only on loopback)')
  if (Buffer.byteLength(settings.secretKey) < MIN_SECRET_BYTES)
    problems.push(`secret_key: needs at least ${MIN_SECRET_BYTES} bytes`)
  if (!isAddress(settings.recipient, { strict: false })) problems.push('recipient: not an address')
  if (methods.length === 0) problems.push('methods: name evm, tempo or both')
  if (methods.includes('evm') && !evm)
    problems.push('evm: chain_id, rpc_url, token and settler_key (or facilitator_url) are needed')
  if (methods.includes('tempo') && !tempo) problems.push('tempo: chain_id, rpc_url and token are needed')
  if (evm && !isAddress(evm.token, { strict: false })) problems.push('evm.token: not an address')
  if (evm && !evm.facilitator && !(isHex(evm.settlerKey) && evm.settlerKey.length === 66))
    problems.push('evm.settler_key: not a private key of 32 bytes in hex')
  for (const chain of [evm, tempo])
    if (chain && chain.decimals !== PRICE_DECIMALS)
      problems.push(`decimals: prices are for a token with ${PRICE_DECIMALS} of them`)
  if (settings.challengeTtlS < MIN_TTL_S) problems.push(`challenge_ttl_s: at least ${MIN_TTL_S}`)
  if (problems.length > 0)
    throw new OperatorError(
      'bad_payment_settings',
      `the paid surface cannot start:\n${problems.map((line) => `  - ${line}`).join('\n')}`,
    )
}

function isSafeOrigin({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

/** For a surface that was asked to run with real money and no chain to take it on. */
export function refuseWithoutChain(): never {
  throw new OperatorError(
    'no_payment_chain',
    'the paid surface has no payment chain: set paid.evm (chain_id, rpc_url, token, recipient, settler_key), or start with the local test chain',
  )
}
