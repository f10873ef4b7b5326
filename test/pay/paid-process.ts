/** A paid server in its own process, which kills itself at a given step of a payment. Settings come as JSON in the first argument. */
import { pino } from 'pino'
import type { PlanConfig } from '../../src/config/access-schema.ts'
import { openPaid } from '../../src/pay/open.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import type { PaySettings } from '../../src/pay/settings.ts'
import { SECRETS } from '../access/secrets.ts'
import { echo } from './bed.ts'

export type ProcessInput = {
  settings: PaySettings
  databaseUrl: string
  port: number
  dieAt?: Step | undefined
  reconcileMs: number
  watchMs?: number | undefined
  plans: readonly PlanConfig[]
}

const { settings, databaseUrl, port, dieAt, reconcileMs, watchMs, plans } = JSON.parse(process.argv[2]!) as ProcessInput
const paid = await openPaid({
  settings,
  databaseUrl,
  reconcileMs,
  ...(watchMs && { watchMs }),
  plans: { configs: plans, secrets: SECRETS },
  lookup: echo,
  log: pino({ level: 'silent' }),
  onStep(step) {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL')
  },
})
await paid.app.listen({ port, host: '127.0.0.1' })
process.stdout.write('ready\n')
