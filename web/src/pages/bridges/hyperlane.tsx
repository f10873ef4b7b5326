import type {
  HlDomainStats,
  HyperlaneIgp,
  HyperlaneMailbox,
  HyperlaneToken,
  HyperlaneTransfer,
  ZkISM,
} from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatCoin, formatCompact, formatInteger, shorten } from '../../format.ts'
import { Bridge } from '../../parts/bridge.tsx'
import { TransferSeries } from '../../parts/charts/transfer-series.tsx'
import { Listing } from '../../parts/listing.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Hash, TxLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { newestList } from './shared-pages.tsx'

type Props = { query: URLSearchParams }

const TABS = [
  ['transfers', 'Transfers'],
  ['tokens', 'Tokens'],
  ['mailboxes', 'Mailboxes'],
  ['igps', 'Gas payments'],
  ['zkisms', 'ZK ISMs'],
  ['chains', 'Chains'],
] as const

export const HyperlanePage = ({ query }: Props) => (
  <Bridge
    name="Hyperlane"
    place="hyperlane"
    tabs={TABS}
    query={query}
    summary={
      <TransferSeries
        load={(name, timeframe, span, signal) => api.getHyperlaneTotals({ name, timeframe, ...span }, { signal })}
      />
    }
  >
    {(tab) => <Tab tab={tab} query={query} />}
  </Bridge>
)

function Tab({ tab, query }: Props & { tab: (typeof TABS)[number][0] }) {
  switch (tab) {
    case 'transfers':
      return <HyperlaneTransfers query={query} filters={TRANSFER_FILTERS} />
    case 'tokens':
      return <HyperlaneTokens query={query} filters={TOKEN_FILTERS} />
    case 'mailboxes':
      return <Mailboxes query={query} />
    case 'igps':
      return <Igps query={query} />
    case 'zkisms':
      return <ZkIsms query={query} filters={ZKISM_FILTERS} />
    case 'chains':
      return <Chains query={query} />
  }
}

const link = (kind: string, id: string | number) => (
  <a class="mono" href={linkTo(['hyperlane', kind, id])} title={String(id)}>
    {shorten(String(id))}
  </a>
)

const transferColumns: Column<HyperlaneTransfer>[] = [
  { title: 'Id', cell: ({ id }) => link('transfer', id) },
  { title: 'Way', cell: ({ type }) => <span class="badge">{type === 'send' ? 'Sent' : 'Received'}</span> },
  {
    title: 'Amount',
    end: true,
    cell: ({ received, denom }) => <span title={denom}>{formatCoin(received, shorten(denom))}</span>,
  },
  { title: 'Account', wide: true, cell: ({ address }) => (address ? <AddressLink address={address} /> : '–') },
  {
    title: 'Other side',
    wide: true,
    cell: ({ counterparty: { hash, domain, chain_metadata } }) => (
      <>
        <Hash value={hash} what="address" copy={false} />{' '}
        <span class="muted">{chain_metadata?.name ?? `domain ${domain ?? '–'}`}</span>
      </>
    ),
  },
  { title: 'Gas paid', end: true, wide: true, cell: ({ gas_payment }) => gas_payment?.amount ?? '–' },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash ?? ''} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const TRANSFER_FILTERS = [
  {
    name: 'type',
    label: 'Way',
    options: [
      ['send', 'sent'],
      ['receive', 'received'],
    ] as const,
  },
  { name: 'address', label: 'Account' },
  { name: 'domain', label: 'Domain' },
  { name: 'hash', label: 'Transaction' },
]

export const HyperlaneTransfers = newestList({
  caption: 'Hyperlane transfers, newest first',
  operation: 'listHyperlaneTransfers',
  columns: transferColumns,
  keyOf: ({ id }) => id,
  empty: 'No such transfers.',
})

const tokenColumns: Column<HyperlaneToken>[] = [
  { title: 'Token', cell: ({ token_id }) => link('token', token_id) },
  { title: 'Type', wide: true, cell: ({ type }) => <span class="badge">{type}</span> },
  { title: 'Denomination', wide: true, cell: ({ denom }) => <span class="break">{shorten(denom, 16, 6)}</span> },
  { title: 'Sent', end: true, cell: ({ sent_transfers }) => formatInteger(sent_transfers) },
  { title: 'Received', end: true, cell: ({ received_transfers }) => formatInteger(received_transfers) },
  { title: 'Owner', wide: true, cell: ({ owner }) => (owner ? <AddressLink address={owner} /> : '–') },
]

const TOKEN_FILTERS = [
  {
    name: 'type',
    label: 'Type',
    options: [
      ['synthetic', 'synthetic'],
      ['collateral', 'collateral'],
    ] as const,
  },
  { name: 'owner', label: 'Owner' },
  { name: 'mailbox', label: 'Mailbox' },
]

export const HyperlaneTokens = newestList({
  caption: 'Hyperlane tokens',
  operation: 'listHyperlaneTokens',
  columns: tokenColumns,
  keyOf: ({ id }) => id,
  empty: 'No such tokens.',
})

const mailboxColumns: Column<HyperlaneMailbox>[] = [
  { title: 'Mailbox', cell: ({ mailbox }) => link('mailbox', mailbox) },
  { title: 'Domain', end: true, wide: true, cell: ({ domain }) => domain ?? '–' },
  { title: 'Sent', end: true, cell: ({ sent_messages }) => formatInteger(sent_messages) },
  { title: 'Received', end: true, cell: ({ received_messages }) => formatInteger(received_messages) },
  { title: 'Owner', wide: true, cell: ({ owner }) => (owner ? <AddressLink address={owner} /> : '–') },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
]

const Mailboxes = ({ query }: Props) => (
  <Listing
    caption="Mailboxes"
    operation="listHyperlaneMailboxes"
    columns={mailboxColumns}
    keyOf={({ id }) => id}
    query={query}
    empty="No mailbox has been created."
  />
)

const igpColumns: Column<HyperlaneIgp>[] = [
  { title: 'Gas paymaster', cell: ({ igp_id }) => link('igp', igp_id) },
  { title: 'Denomination', cell: ({ denom }) => denom },
  { title: 'Owner', wide: true, cell: ({ owner }) => (owner ? <AddressLink address={owner} /> : '–') },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const Igps = newestList({
  caption: 'Interchain gas paymasters',
  operation: 'listHyperlaneIgps',
  columns: igpColumns,
  keyOf: ({ id }) => id,
  empty: 'No gas paymaster has been created.',
})

const zkColumns: Column<ZkISM>[] = [
  { title: 'Id', cell: ({ id }) => link('zkism', id) },
  { title: 'On chain', cell: ({ external_id }) => <Hash value={external_id} what="id" /> },
  { title: 'Creator', wide: true, cell: ({ creator }) => (creator ? <AddressLink address={creator} /> : '–') },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const ZKISM_FILTERS = [
  { name: 'address', label: 'Creator' },
  { name: 'tx_hash', label: 'Transaction' },
]

const ZkIsms = newestList({
  caption: 'ZK interchain security modules',
  operation: 'listZkisms',
  columns: zkColumns,
  keyOf: ({ id }) => id,
  empty: 'No ZK ISM has been created.',
})

const chainColumns: Column<HlDomainStats>[] = [
  {
    title: 'Chain',
    cell: ({ domain_id, chain_metadata }) => (
      <a href={linkTo(['hyperlane', 'domain', domain_id])}>{chain_metadata?.name ?? `domain ${domain_id}`}</a>
    ),
  },
  { title: 'Transfers', end: true, cell: ({ transfers_count }) => formatInteger(transfers_count) },
  { title: 'Amount', end: true, cell: ({ amount }) => formatCompact(Number(amount)) },
]

const Chains = ({ query }: Props) => (
  <Listing
    caption="Chains by transfers"
    operation="listHyperlaneChains"
    columns={chainColumns}
    keyOf={({ domain_id }) => domain_id}
    query={query}
    empty="Nothing has been transferred yet."
  />
)
