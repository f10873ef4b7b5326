import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { PaidConfig } from '../../config/paid-schema.ts'
import { baseUrlFrom, PAY_DEFAULTS, settingsFrom, termsFrom } from '../from-config.ts'
import { type Hex, hostOf, type PaySettings, refuseWithoutChain } from '../settings.ts'
import { LOCAL_CHAIN_ID, RECIPIENT, TOKEN_DECIMALS, TOKEN_NAME, TOKEN_VERSION, WORTHLESS_GAS } from './accounts.ts'
import { findAnvil, fundGas, startAnvil } from './anvil.ts'
import { startJsChain } from './js-chain.ts'

export type LocalChain = {
  /** `anvil`: a full EVM; `built-in`: our own stand-in, where that program cannot run */
  kind: 'anvil' | 'built-in'
  rpcUrl: string
  token: Hex
  settlerKey: Hex
  stop: () => Promise<void>
}

/** A payment chain for trying things out: the token is deployed, the demonstration's payer owns some of it. */
export async function startLocalChain(): Promise<LocalChain> {
  const anvil = findAnvil()
  // A program made for another C library exists and still does not run.
  const started = anvil === undefined ? undefined : await startAnvil(anvil).catch(() => undefined)
  const { rpcUrl, token, stop } = started ?? (await startJsChain())
  // A new key for every run: the chain starts from nothing, and so do the nonces of the key.
  const settlerKey = generatePrivateKey()
  await fundGas(rpcUrl, privateKeyToAddress(settlerKey))
  return { kind: started ? 'anvil' : 'built-in', rpcUrl, token, settlerKey, stop }
}

/** Settings for a surface on that chain; `baseUrl` is where it will listen. */
export function localSettings(chain: Pick<LocalChain, 'rpcUrl' | 'token' | 'settlerKey'>, baseUrl: string): PaySettings {
  return {
    ...PAY_DEFAULTS,
    baseUrl,
    realm: hostOf(baseUrl),
    // The key is private to this process: challenges live no longer than the chain.
    secretKey: randomBytes(32).toString('base64url'),
    recipient: RECIPIENT,
    evm: {
      chainId: LOCAL_CHAIN_ID,
      rpcUrl: chain.rpcUrl,
      token: chain.token,
      tokenName: TOKEN_NAME,
      tokenVersion: TOKEN_VERSION,
      decimals: TOKEN_DECIMALS,
      settlerKey: chain.settlerKey,
      ...WORTHLESS_GAS,
    },
    // The local chain mines at once.
    pollMs: 50,
  }
}

export type PaymentPlan = {
  settings: PaySettings /** kind of the local chain, when there is one */
  local: string | undefined
  stop: () => Promise<void>
}

/**
 * Settings of the paid surface from the configuration. Without a chain in it the local one is started where that is allowed; a surface
 * that is meant to earn refuses instead. `url` is where it listens.
 */
export async function planPayments(paid: PaidConfig, url: string, { allowLocal }: { allowLocal: boolean }): Promise<PaymentPlan> {
  const baseUrl = baseUrlFrom(paid, url)
  if (paid.evm || paid.tempo) return { settings: settingsFrom(paid, baseUrl), local: undefined, stop: async () => {} }
  if (!allowLocal) refuseWithoutChain()
  const chain = await startLocalChain()
  return { settings: { ...localSettings(chain, baseUrl), ...termsFrom(paid) }, local: chain.kind, stop: chain.stop }
}
