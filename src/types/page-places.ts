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
  data: 'Data',
  search: 'Search',
} as const

export type PagePlace = keyof typeof PAGE_PLACES

export const isPagePlace = (text: string): text is PagePlace => Object.hasOwn(PAGE_PLACES, text)

const NUMBER = '\\d+'
const NAME = '[^/]+'

/** Rest of the address of one thing, by its first part. */
const THINGS: Partial<Record<PagePlace, string>> = {
  block: NUMBER,
  tx: NAME,
  blob: `${NUMBER}/${NAME}/${NAME}`,
  namespace: `${NAME}/${NUMBER}`,
  validator: NUMBER,
  rollup: NAME,
  address: NAME,
  proposal: NUMBER,
  upgrade: NUMBER,
  ibc: `(channel|connection|client|transfer)/${NAME}`,
  hyperlane: `(mailbox|token|igp|transfer|domain|zkism)/${NAME}`,
  forwarding: NUMBER,
}

/** Places with a list, and things below it. */
const LISTS = new Set<PagePlace>(['ibc', 'hyperlane', 'forwarding'])

/** Whether the page has something to draw at a path; `/` is the overview. */
export function isPagePath(path: string): boolean {
  const [kind, ...rest] = path.split('/').filter(Boolean)
  if (kind === undefined) return true
  if (!isPagePlace(kind)) return false
  const thing = THINGS[kind]
  if (rest.length === 0) return thing === undefined || LISTS.has(kind)
  return thing !== undefined && new RegExp(`^${thing}$`).test(rest.join('/'))
}
