/**
 * The first part of every address of the page, and what a thing at such an address is called. The server answers these addresses with
 * the page, and the page draws them; everything else belongs to the API.
 */
export const PAGE_PLACES = {
  blocks: 'Blocks',
  block: 'Block',
  txs: 'Transactions',
  tx: 'Transaction',
  blobs: 'Blobs',
  blob: 'Blob',
  namespaces: 'Namespaces',
  namespace: 'Namespace',
  validators: 'Validators',
  validator: 'Validator',
  rollups: 'Rollups',
  rollup: 'Rollup',
  addresses: 'Accounts',
  address: 'Account',
  governance: 'Governance',
  proposal: 'Proposal',
  upgrades: 'Upgrades',
  upgrade: 'Upgrade',
  ibc: 'IBC',
  hyperlane: 'Hyperlane',
  forwarding: 'Forwarding',
  statistics: 'Statistics',
  gas: 'Gas',
  network: 'Network',
  webhooks: 'Webhooks',
  plans: 'Plans',
  search: 'Search',
} as const

export type PagePlace = keyof typeof PAGE_PLACES

export const isPagePlace = (text: string): text is PagePlace => Object.hasOwn(PAGE_PLACES, text)
