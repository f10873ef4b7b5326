import type { NodeState } from '../../chain/rpc/pool.ts'
import type { Config } from '../../config/schema.ts'
import type { NetworkApi } from '../wiring/network-api.ts'
import type { StartedPaid } from '../wiring/paid.ts'

/** Everything that `start` serves, by address. */
export type Addresses = {
  networks: Record<string, { kind: string; page: string; api: string; docs: string; websocket: string }>
  paid?: { url: string; openapi: string; local_chain: string | null }
  operator?: { url: string }
  observability?: { url: string }
}

export type Others = {
  paid?: StartedPaid | undefined
  operator?: { url: string } | undefined
  observability?: { url: string } | undefined
}

export function addressesOf(apis: NetworkApi[], { paid, operator, observability }: Others): Addresses {
  const networks = apis.map(({ network, url }) => [
    network.name,
    {
      kind: network.kind,
      page: `${url}/`,
      api: `${url}/v1`,
      docs: `${url}/v1/docs`,
      websocket: `${url.replace(/^http/, 'ws')}/v1/ws`,
    },
  ])
  return {
    networks: Object.fromEntries(networks),
    ...(paid && { paid: { url: paid.url, openapi: `${paid.url}/openapi.json`, local_chain: paid.local ?? null } }),
    ...(operator && { operator: { url: operator.url } }),
    ...(observability && { observability: { url: observability.url } }),
  }
}

/** For a network that is behind its nodes. Those that all fail are the more likely reason. */
export function explainWait(network: string, nodes: readonly NodeState[]): string {
  const failing = nodes.filter(({ failures, quarantined }) => failures > 0 || quarantined !== undefined)
  if (failing.length < nodes.length || nodes.length === 0)
    return `${network} is still being indexed: what is there is served, and astrolabe status tells how far it is`
  const names = failing.map(({ label, quarantined }) => (quarantined === undefined ? label : `${label} (${quarantined})`))
  return `no node of ${network} can be used: ${names.join(', ')}. Asked again until one can; astrolabe doctor tells more`
}

/** Says where other machines reach what is served, when they do. */
export function describeHost({ networks }: Config): string[] {
  const host = networks[0]?.listen.host ?? ''
  if (['127.0.0.1', 'localhost', '::1'].includes(host)) return []
  return [`pages and APIs listen on ${host}: other machines open the addresses above with the name of this one`]
}

/** Says that the blocks are generated, so that they are not mistaken for a real network's. */
export function describeDemo({ networks }: Config): string[] {
  return networks
    .filter(({ generated }) => generated)
    .map(
      ({ name }) =>
        `${name} is a demo chain: its blocks are generated on this machine, one per second, and nothing in them is real`,
    )
}

export function welcome({ networks, paid, operator, observability }: Addresses, notes: readonly string[] = []): string {
  const rows = Object.entries(networks).flatMap(([name, { page, api, docs, websocket }]) => [
    `  ${name}`,
    `    page        ${page}`,
    `    API         ${api}    docs ${docs}`,
    `    live        ${websocket}`,
  ])
  const first = Object.values(networks)[0]
  const tries = [
    ...(first ? [`open ${first.page}`, `curl ${first.api}/head`, `curl -N '${first.api}/sse?channel=blocks'`] : []),
    ...(paid?.local_chain ? [`npm run --silent astrolabe -- pay-demo /v1/head --url ${paid.url}`] : []),
  ]
  const sold = paid
    ? [
        `  paid surface  ${paid.url}    prices ${paid.openapi}${paid.local_chain ? `    on a local test chain (${paid.local_chain})` : ''}`,
      ]
    : []
  const inner = [
    ...(operator ? [`  operator      ${operator.url}`] : []),
    ...(observability ? [`  health        ${observability.url}/readyz    metrics ${observability.url}/metrics`] : []),
  ]
  const blocks = [
    ['Astrolabe serves', ...rows, ...sold, ...inner],
    ...(notes.length > 0 ? [['Note', ...notes.map((line) => `  ${line}`)]] : []),
    ['Try', ...tries.map((line) => `  ${line}`)],
    ['Ctrl-C stops it; what was indexed is kept for the next start.'],
  ]
  return `\n${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n`
}
