/** The paid server that is measured, in its own process: its CPU time is not mixed with the client's. */
import { pino } from 'pino'
import { freePort } from '../../src/lib/free-port.ts'
import { type OpenPaidOptions, openPaid } from '../../src/pay/open.ts'
import type { PaySettings } from '../../src/pay/settings.ts'

const input = JSON.parse(process.argv[2]!) as { settings: PaySettings; databaseUrl: string }
const port = await freePort()
const baseUrl = `http://127.0.0.1:${port}`
const lookup: OpenPaidOptions['lookup'] = async () => ({ status: 200, body: Buffer.from('{"last_height":1}\n') })
const paid = await openPaid({
  ...input,
  settings: { ...input.settings, baseUrl },
  lookup,
  log: pino({ level: 'silent' }),
  // The jobs would be the only ones to speak to the database while nobody pays.
  reconcileMs: 3_600_000,
  watchMs: 3_600_000,
})
await paid.app.listen({ port, host: '127.0.0.1' })
process.on('message', () => process.send!({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit(0))
process.send!({ url: baseUrl })
