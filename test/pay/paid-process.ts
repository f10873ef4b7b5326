/** A paid server in a process of its own, which kills itself at a given step of a payment. Settings come as JSON in the first argument. */
import { pino } from 'pino'
import { openPaid } from '../../src/pay/open.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import type { PaySettings } from '../../src/pay/settings.ts'
import { echo } from './bed.ts'

export type ProcessInput = {
  settings: PaySettings
  databaseUrl: string
  port: number
  dieAt?: Step | undefined
  reconcileMs: number
}

const { settings, databaseUrl, port, dieAt, reconcileMs } = JSON.parse(process.argv[2]!) as ProcessInput
const paid = await openPaid({
  settings,
  databaseUrl,
  reconcileMs,
  lookup: echo,
  log: pino({ level: 'silent' }),
  onStep(step) {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL')
  },
})
await paid.app.listen({ port, host: '127.0.0.1' })
process.stdout.write('ready\n')
