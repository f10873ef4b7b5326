import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/lib/free-port.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import type { PaySettings } from '../../src/pay/settings.ts'
import type { Bed } from './bed.ts'
import type { ProcessInput } from './paid-process.ts'

export type PaidProcess = { url: string; settings: PaySettings; gone: Promise<unknown>; stop: () => Promise<void> }

/** Starts a paid server in its own process; all processes of a test share one public address, as replicas do. */
export async function spawnPaid(
  bed: Bed,
  baseUrl: string,
  options: { dieAt?: Step; reconcileMs?: number; settings?: Partial<PaySettings> } = {},
): Promise<PaidProcess> {
  const port = await freePort()
  const settings = { ...bed.settings, baseUrl, ...options.settings }
  const input: ProcessInput = {
    settings,
    databaseUrl: bed.databaseUrl,
    port,
    dieAt: options.dieAt,
    reconcileMs: options.reconcileMs ?? 60_000,
  }
  const script = fileURLToPath(new URL('./paid-process.js', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(input)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), gone.then(() => Promise.reject(new Error('the paid process did not start')))])
  const stop = async () => {
    child.stdin.end()
    await gone
  }
  bed.onStop(stop)
  const started: PaidProcess = {
    url: `http://127.0.0.1:${port}`,
    settings,
    gone,
    stop,
  }
  return started
}
