import { collectRoutes } from '../../src/api/collect-routes.ts'
import type { ApiContext } from '../../src/api/route.ts'
import { allRoutes } from '../../src/api/routes/all.ts'
import type { SoldGroup } from '../../src/config/paid-schema.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { deriveOperations } from '../../src/operations/derive-operations.ts'
import { fillPath, type Operation } from '../../src/operations/operation.ts'

/** Routes only register here: nothing of a request is there to be used. */
const NOTHING = new Proxy({}, { get: () => undefined })
const network = { name: 'main', chainId: '', kind: 'main' }

/** Operations of these groups, over no chain: for servers whose lookup answers by itself. */
export function soldOperations(groups: readonly SoldGroup[]): Operation[] {
  const routes = collectRoutes(allRoutes, { network, db: NOTHING, watch: NOTHING } as unknown as ApiContext)
  return [...CATALOG, ...deriveOperations(routes, new Set(groups))]
}

/** By name of the input, where no schema says it. */
const SAMPLES: Record<string, string> = {
  height: '7',
  hash: 'ab'.repeat(32),
  id: '1',
  version: '1',
  slug: 'one',
  query: 'abc',
  column: 'tx_count',
}

type Input = {
  enum?: readonly string[]
  items?: Input
  format?: string
  examples?: readonly unknown[]
  default?: unknown
  '~optional'?: unknown
}

/** A valid request for an operation, with the inputs that it cannot do without. */
export function sampleOf({ path, params, query }: Operation): string {
  const needed = (inputs: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(inputs as Record<string, Input>)
        .filter(([, input]) => input.default === undefined && !('~optional' in input))
        .map(([name, input]) => [name, sampleInput(path, name, input)]),
    )
  const search = new URLSearchParams(needed(query)).toString()
  return fillPath(path, needed(params)) + (search === '' ? '' : `?${search}`)
}

function sampleInput(path: string, name: string, input: Input): string {
  if (path === '/v1/address/{hash}' || path === '/v1/address/{hash}/txs') return 'ab'.repeat(20)
  if (input.format === 'hex') return SAMPLES.hash!
  return String((input.enum ?? input.items?.enum)?.[0] ?? input.examples?.[0] ?? SAMPLES[name] ?? '1')
}
