import type { PlanConfig } from '../../src/config/access-schema.ts'
import { freePort } from '../../src/lib/free-port.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import type { PaySettings } from '../../src/pay/settings.ts'
import { type Program, runScript } from '../support/program.ts'
import type { Bed } from './bed.ts'
import type { ProcessInput } from './paid-process.ts'

export type PaidProcess = { url: string; settings: PaySettings; ended: Program['ended']; stop: Program['stop'] }

/** Starts a paid server in its own process; all processes of a test share one public address, as replicas do. */
export async function spawnPaid(
  bed: Bed,
  baseUrl: string,
  options: {
    dieAt?: Step
    reconcileMs?: number
    watchMs?: number
    settings?: Partial<PaySettings>
    plans?: readonly PlanConfig[]
  } = {},
): Promise<PaidProcess> {
  const port = await freePort()
  const settings = { ...bed.settings, baseUrl, ...options.settings }
  const input: ProcessInput = {
    settings,
    databaseUrl: bed.databaseUrl,
    port,
    dieAt: options.dieAt,
    reconcileMs: options.reconcileMs ?? 60_000,
    watchMs: options.watchMs,
    plans: options.plans ?? [],
  }
  const { says, ended, stop } = runScript('pay/paid-process.js', [JSON.stringify(input)])
  await says(/^ready/)
  bed.onStop(stop)
  return { url: `http://127.0.0.1:${port}`, settings, ended, stop }
}
