import type {
  IbcChainStats,
  IbcChannel,
  IbcClient,
  IbcConnection,
  IbcTransfer,
  Relayer,
} from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatCoin, formatCompact, formatInteger, formatTiaShort, shorten } from '../../format.ts'
import { Bridge } from '../../parts/bridge.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Await, Skeleton, Tile } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, TxLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { useLoad } from '../../use-load.ts'
import { newestList } from './shared-pages.tsx'

type Props = { query: URLSearchParams }

const TABS = [
  ['transfers', 'Transfers'],
  ['channels', 'Channels'],
  ['connections', 'Connections'],
  ['clients', 'Clients'],
  ['chains', 'Chains'],
  ['relayers', 'Relayers'],
] as const

export const IbcPage = ({ query }: Props) => (
  <Bridge name="IBC" place="ibc" tabs={TABS} query={query} summary={<Summary />}>
    {(tab) => <Tab tab={tab} query={query} />}
  </Bridge>
)

function Tab({ tab, query }: Props & { tab: (typeof TABS)[number][0] }) {
  switch (tab) {
    case 'transfers':
      return <IbcTransfers query={query} filters={TRANSFER_FILTERS} />
    case 'channels':
      return <IbcChannels query={query} filters={CHANNEL_FILTERS} />
    case 'connections':
      return <IbcConnections query={query} filters={[{ name: 'client_id', label: 'Client' }]} />
    case 'clients':
      return <Clients query={query} filters={CLIENT_FILTERS} />
    case 'chains':
      return <Chains query={query} />
    case 'relayers':
      return <Relayers />
  }
}

/** Summary of transfers; empty before the first one. */
function Summary() {
  const loaded = useLoad((signal) => api.getIbcSummary({}, { signal }), 'ibc summary')
  if (loaded.state === 'loading') return <Skeleton rows={2} />
  if (loaded.state !== 'ready') return null
  const { largest_transfer: largest, busiest_channel: busiest } = loaded.value
  return (
    <section class="board small" aria-label="Numbers">
      <Tile name="Largest transfer" href={linkTo(['ibc', 'transfer', largest.id])} remark={largest.chain_id}>
        {formatCoin(largest.amount, shorten(largest.denom))}
      </Tile>
      <Tile name="Busiest channel" href={linkTo(['ibc', 'channel', busiest.channel_id])} remark={busiest.channel_id}>
        {formatCompact(busiest.transfers_count)} transfers
      </Tile>
    </section>
  )
}

const channelLink = (id: string) => <a href={linkTo(['ibc', 'channel', id])}>{id}</a>

const transferColumns: Column<IbcTransfer>[] = [
  { title: 'Id', wide: true, cell: ({ id }) => <a href={linkTo(['ibc', 'transfer', id])}>{id}</a> },
  {
    title: 'Amount',
    cell: ({ amount, denom, id }) => (
      <a href={linkTo(['ibc', 'transfer', id])} title={denom}>
        {formatCoin(amount, shorten(denom))}
      </a>
    ),
  },
  { title: 'From', wide: true, cell: ({ sender }) => (sender ? <AddressLink address={sender} /> : '–') },
  { title: 'To', wide: true, cell: ({ receiver }) => (receiver ? <AddressLink address={receiver} /> : '–') },
  { title: 'Chain', wide: true, cell: ({ chain_id }) => chain_id || '–' },
  { title: 'Channel', wide: true, cell: ({ channel_id }) => channelLink(channel_id) },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const TRANSFER_FILTERS = [
  { name: 'address', label: 'Sender or receiver' },
  { name: 'channel_id', label: 'Channel' },
  { name: 'chain_id', label: 'Chain' },
  { name: 'hash', label: 'Transaction' },
]

export const IbcTransfers = newestList({
  caption: 'IBC transfers, newest first',
  operation: 'listIbcTransfers',
  columns: transferColumns,
  keyOf: ({ id }) => id,
  empty: 'No such transfers.',
})

const channelColumns: Column<IbcChannel>[] = [
  { title: 'Channel', cell: ({ id }) => channelLink(id) },
  {
    title: 'State',
    cell: ({ status }) => (
      <span class={`badge ${status === 'opened' ? 'good' : status === 'closed' ? 'bad' : 'warn'}`}>{status}</span>
    ),
  },
  { title: 'Chain', cell: ({ client }) => client?.chain_id ?? '–' },
  { title: 'Port', wide: true, cell: ({ port_id }) => port_id },
  { title: 'Other end', wide: true, cell: ({ counterparty_channel_id }) => counterparty_channel_id || '–' },
  {
    title: 'Connection',
    wide: true,
    cell: ({ connection_id }) => <a href={linkTo(['ibc', 'connection', connection_id])}>{connection_id}</a>,
  },
  { title: 'Age', end: true, cell: ({ created_at }) => <Ago time={created_at} bare /> },
]

const CHANNEL_FILTERS = [
  {
    name: 'status',
    label: 'State',
    options: [
      ['initialization', 'initialization'],
      ['opened', 'opened'],
      ['closed', 'closed'],
    ] as const,
  },
  { name: 'client_id', label: 'Client' },
  { name: 'connection_id', label: 'Connection' },
]

export const IbcChannels = newestList({
  caption: 'IBC channels',
  operation: 'listIbcChannels',
  columns: channelColumns,
  keyOf: ({ id }) => id,
  empty: 'No such channels.',
})

const connectionColumns: Column<IbcConnection>[] = [
  { title: 'Connection', cell: ({ id }) => <a href={linkTo(['ibc', 'connection', id])}>{id}</a> },
  { title: 'Chain', cell: ({ client }) => client?.chain_id ?? '–' },
  {
    title: 'Client',
    wide: true,
    cell: ({ client }) => (client ? <a href={linkTo(['ibc', 'client', client.id])}>{client.id}</a> : '–'),
  },
  { title: 'Channels', end: true, cell: ({ channels_count }) => formatInteger(channels_count) },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Age', end: true, cell: ({ created_at }) => <Ago time={created_at} bare /> },
]

export const IbcConnections = newestList({
  caption: 'IBC connections',
  operation: 'listIbcConnections',
  columns: connectionColumns,
  keyOf: ({ id }) => id,
  empty: 'No such connections.',
})

const clientColumns: Column<IbcClient>[] = [
  { title: 'Client', cell: ({ id }) => <a href={linkTo(['ibc', 'client', id])}>{id}</a> },
  { title: 'Chain', cell: ({ chain_id }) => chain_id || '–' },
  { title: 'Connections', end: true, wide: true, cell: ({ connection_count }) => formatInteger(connection_count) },
  { title: 'Newest height', end: true, wide: true, cell: ({ latest_revision_height }) => formatInteger(latest_revision_height) },
  { title: 'Creator', wide: true, cell: ({ creator }) => (creator ? <AddressLink address={creator} /> : '–') },
  { title: 'Updated', end: true, cell: ({ updated_at }) => <Ago time={updated_at} bare /> },
]

const CLIENT_FILTERS = [
  { name: 'chain_id', label: 'Chain' },
  { name: 'creator', label: 'Creator' },
]

const Clients = newestList({
  caption: 'IBC clients',
  operation: 'listIbcClients',
  columns: clientColumns,
  keyOf: ({ id }) => id,
  empty: 'No such clients.',
})

const chainColumns: Column<IbcChainStats>[] = [
  { title: 'Chain', cell: ({ chain }) => <a href={linkTo(['ibc'], { chain_id: chain })}>{chain || 'unknown'}</a> },
  { title: 'Sent', end: true, cell: ({ sent }) => formatTiaShort(sent) },
  { title: 'Received', end: true, cell: ({ received }) => formatTiaShort(received) },
  { title: 'Flow', end: true, wide: true, cell: ({ flow }) => formatTiaShort(flow) },
]

const Chains = ({ query }: Props) => (
  <Listing
    caption="Chains by flow"
    operation="listIbcChains"
    columns={chainColumns}
    keyOf={({ chain }) => chain}
    query={query}
    empty="Nothing has been transferred yet."
  />
)

const relayerColumns: Column<Relayer>[] = [
  { title: 'Relayer', cell: ({ name }) => name },
  {
    title: 'Accounts',
    cell: ({ addresses }) => (addresses ?? []).map((hash) => <AddressLink key={hash} address={{ hash }} />),
  },
]

function Relayers() {
  const loaded = useLoad((signal) => api.listIbcRelayers({}, { signal }), 'relayers')
  return (
    <Await loaded={loaded}>
      {(rows) => (
        <Table caption="Relayers" columns={relayerColumns} rows={rows} keyOf={({ name }) => name} empty="No relayer is listed." />
      )}
    </Await>
  )
}
