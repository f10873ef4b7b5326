import { pino } from 'pino'
import { openAccess } from '../../src/cli/wiring/access.ts'
import { type NetworkApi, startNetworkApi } from '../../src/cli/wiring/network-api.ts'
import { pageNetworks } from '../../src/cli/wiring/page-networks.ts'
import { openSource } from '../../src/cli/wiring/source.ts'
import { createTelemetry } from '../../src/cli/wiring/telemetry.ts'
import { loadConfig } from '../../src/config/load.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { SECRETS } from '../access/guarded-api.ts'

/** A network: its name, the recording or the node it comes from, and the database with its schema. */
export type SiteNetwork = { name: string; kind: 'main' | 'test'; databaseUrl: string } & (
  | { recording: string }
  | { node: string }
)

export type Site = {
  /** addresses of the pages, in the order of the networks */
  urls: string[]
  chainIds: string[]
  close: () => Promise<void>
}

/** `shopUrl`: where plans are sold */
export type SiteOptions = { exemptLoopback?: boolean; plans?: readonly object[]; shopUrl?: string }

/** The networks with API, push and page, wired as `astrolabe start` does it, each on a free port. */
export async function serveSite(
  networks: SiteNetwork[],
  { exemptLoopback = true, plans, shopUrl }: SiteOptions = {},
): Promise<Site> {
  const config = loadConfig({
    env: {},
    overrides: {
      access: { pepper: SECRETS.pepper, ...(plans && { plans }) },
      ...(shopUrl && { paid: { base_url: shopUrl } }),
      webhooks: { allow_http: true, private_targets: ['127.0.0.1'] },
      networks: networks.map(({ name, kind, ...place }) => ({
        name,
        kind,
        ...('node' in place ? { rpc: [place.node] } : { recording: packagePath('data/recordings', place.recording) }),
        listen: { port: 0 },
      })),
    },
  })
  const runtime = { log: pino({ level: 'warn' }), signal: new AbortController().signal }
  const telemetry = createTelemetry(config, runtime.log)
  const apis: NetworkApi[] = []
  const closing: (() => Promise<unknown>)[] = []
  for (const [i, { databaseUrl }] of networks.entries()) {
    const access = await openAccess(config, { url: databaseUrl }, telemetry, runtime)
    const source = await openSource(config.networks[i]!)
    const api = await startNetworkApi(
      config,
      config.networks[i]!,
      databaseUrl,
      source,
      { access, exemptLoopback, movePort: false, telemetry, logRequests: false, networks: () => pageNetworks(apis) },
      runtime,
    )
    apis.push(api)
    closing.push(
      () => access.close(),
      () => source.close(),
      () => api.close(),
    )
  }
  return {
    urls: apis.map(({ url }) => `${url}/`),
    chainIds: apis.map(({ ctx }) => ctx.head()?.chain_id ?? ''),
    close: async () => {
      for (const close of closing.reverse()) await close()
    },
  }
}
