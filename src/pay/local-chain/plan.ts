import type { PaidConfig } from '../../config/paid-schema.ts'
import { baseUrlFrom, settingsFrom, termsFrom } from '../from-config.ts'
import { type PaySettings, refuseWithoutChain } from '../settings.ts'
import { localSettings, startLocalChain } from './local-chain.ts'

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
