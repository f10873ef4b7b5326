import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '../lib/errors.ts'
import { originOf } from '../lib/origin.ts'
import { type GaugedNetwork, IndexGauges } from './index-gauges.ts'
import type { Metrics } from './metrics.ts'
import { type OffchainAges, updateDisk } from './observers.ts'
import { createObservabilityServer, type ObservabilityOptions, type ReadyCheck } from './server.ts'

export type ObservabilityService = { url: string; close: () => Promise<void> }

export type StartObservabilityOptions = {
  listen: { host: string; port: number }
  /** take a free port when that one is taken */
  movePort?: boolean
  metrics: Metrics
  /** what is shown, when it is more than the metrics of this process */
  registry?: ObservabilityOptions['registry'] | undefined
  networks: readonly GaugedNetwork[]
  ages?: OffchainAges
  dataFolder?: string
  /** beside those of the networks */
  checks?: readonly ReadyCheck[] | undefined
  /** gauges of other parts, right before metrics are read */
  collect?: () => Promise<void> | void
}

/** Health and metrics of a process on a port of their own. */
export async function startObservability(options: StartObservabilityOptions): Promise<ObservabilityService> {
  const { metrics, networks, ages, dataFolder, collect } = options
  const gauges = new IndexGauges(metrics, networks)
  const server = createObservabilityServer({
    registry: options.registry ?? metrics.registry,
    checks: () => [...networks.flatMap(({ health }) => health.checks()), ...(options.checks ?? [])],
    async beforeMetrics() {
      ages?.update()
      await Promise.allSettled([
        gauges.update(),
        dataFolder === undefined ? undefined : updateDisk(metrics, dataFolder),
        collect?.(),
      ])
    },
  })
  const { host } = options.listen
  const port = await listen(server, options.listen, options.movePort ?? false)
  return {
    url: originOf({ host, port }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function listen(server: Server, { host, port }: { host: string; port: number }, movePort: boolean): Promise<number> {
  const attempt = (chosen: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(chosen, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  try {
    await attempt(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (!movePort)
      throw new OperatorError('port_taken', `port ${port} on ${host} is taken: choose another one for observability`, {}, error)
    await attempt(0)
  }
  return (server.address() as AddressInfo).port
}
