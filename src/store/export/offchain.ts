import type { StateDataset } from './dataset.ts'

/** Data from outside the chain: each run rewrites it, as it is at that moment. */

export const rollups: StateDataset = {
  name: 'rollups',
  about: 'registered rollups',
  needsState: false,
  columns: {
    id: ['int64', 'number of the rollup'],
    slug: ['text', 'short name, as addresses of pages have it'],
    name: ['text', 'name'],
    description: ['text', 'description'],
    type: ['text', 'sovereign, settled or other'],
    category: ['text', 'kind of use'],
    stack: ['text', 'software that it is made with'],
    vm: ['text', 'virtual machine'],
    provider: ['text', 'company that runs it'],
    settled_on: ['text', 'chain that it settles on'],
    compression: ['text', 'compression of its blobs'],
    website: ['text', 'website'],
    tags: ['list', 'tags'],
    verified: ['boolean', 'whether its blobs are counted and shown'],
  },
  selectState: (sql) => sql`
    select id, slug, name, description, type, category, stack, vm, provider, settled_on, compression, website,
           to_json(tags)::text as tags, verified
    from rollup
    order by id`,
}

export const rollupProviders: StateDataset = {
  name: 'rollup_providers',
  about: 'signers and namespaces whose blobs belong to a rollup',
  needsState: false,
  columns: {
    rollup_id: ['int64', 'rollup (rollups.id)'],
    position: ['int64', 'position in the list of the rollup, from 0'],
    signer: [
      'address?',
      'account whose blobs count (blobs.signer); null: any. It may be registered before the chain has seen it',
    ],
    namespace: ['base64?', 'namespace whose blobs count (blobs.namespace); null: any'],
  },
  selectState: (sql) => sql`
    select rollup_id, position, address as signer, namespace
    from rollup_provider
    order by rollup_id, position`,
}

export const prices: StateDataset = {
  name: 'prices',
  about: 'candles of the price of TIA in US dollars',
  needsState: false,
  columns: {
    timeframe: ['text', 'length of the candle: 1m, 1h or 1d'],
    time: ['time', 'beginning of the candle'],
    open: ['fraction', 'first price'],
    high: ['fraction', 'highest price'],
    low: ['fraction', 'lowest price'],
    close: ['fraction', 'last price'],
  },
  selectState: (sql) => sql`
    select timeframe, time, open, high, low, close
    from price
    order by timeframe, time`,
}
