import type { Address, Balance, MessageForAddress } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatCompact, formatTia, formatTiaShort, readableName, readableType, shorten } from '../format.ts'
import { Await, Choice, Fact, Facts, Panel } from '../parts/blocks.tsx'
import { blobColumns, txColumns, withoutColumns } from '../parts/lists.tsx'
import { SeriesPanel } from '../parts/series-panel.tsx'
import { type Column, PagedTable, pageOf, readPage, Table } from '../parts/table.tsx'
import { Ago, BlockLink, Hash, Tia, TxLink } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { AddressHistory } from './address-history.tsx'
import { AddressGrants, AddressStaking, AddressVestings, AddressVotes } from './address-more.tsx'

type Props = { hash: string; query: URLSearchParams }

const TABS = [
  ['txs', 'Transactions'],
  ['history', 'History'],
  ['messages', 'Messages'],
  ['blobs', 'Blobs'],
  ['staking', 'Staking'],
  ['grants', 'Grants'],
  ['vestings', 'Vestings'],
  ['votes', 'Votes'],
] as const

export function AddressPage({ hash, query }: Props) {
  const loaded = useLoad((signal) => api.getAddress({ hash }, { signal }), 'address')
  return (
    <>
      <Title text={`Account ${shorten(hash, 14, 6)}`} />
      <Await loaded={loaded} rows={8} missing="The chain has not seen this account.">
        {(address) => <Content address={address} query={query} />}
      </Await>
    </>
  )
}

function Content({ address, query }: { address: Address; query: URLSearchParams }) {
  // The account form, also when the place names the operator form.
  const { hash } = address
  const tab = query.get('tab') ?? 'txs'
  return (
    <>
      <div class="columns">
        <Panel title="Account">
          <Facts>
            <Fact name="Address">
              <Hash value={hash} what="address" whole />
            </Fact>
            {(address.celestials || address.name) && <Fact name="Name">{address.celestials?.name ?? address.name}</Fact>}
            {address.is_forwarding && <Fact name="Kind">forwarding account</Fact>}
            <Fact name="First seen">
              block <BlockLink height={address.first_height} />
            </Fact>
            <Fact name="Last seen">
              block <BlockLink height={address.last_height} />
            </Fact>
          </Facts>
          <Balances address={address} />
        </Panel>
        <SeriesPanel
          title="Over time"
          names={[
            ['balance', 'Balance', formatTiaShort],
            ['tx_count', 'Transactions', formatCompact],
            ['fee', 'Fees', formatTiaShort],
            ['rewards', 'Rewards', formatTiaShort],
            ['gas_used', 'Gas used', formatCompact],
            ['gas_wanted', 'Gas wanted', formatCompact],
          ]}
          timeframes={['hour', 'day', 'month']}
          load={(name, timeframe, from, signal) => api.getAddressSeries({ hash, name, timeframe, from }, { signal })}
        />
      </div>
      <Panel
        title={TABS.find(([name]) => name === tab)?.[1] ?? 'Transactions'}
        actions={
          <Choice
            label="Parts of the account"
            options={TABS.map(([name, text]) => ({
              name: text,
              href: linkTo(['address', hash], { tab: name === 'txs' ? undefined : name }),
              isChosen: name === tab,
            }))}
          />
        }
      >
        <Tab tab={tab} hash={hash} query={query} />
      </Panel>
    </>
  )
}

function Tab({ tab, ...props }: Props & { tab: string }) {
  switch (tab) {
    case 'history':
      return <AddressHistory {...props} />
    case 'messages':
      return <Messages {...props} />
    case 'blobs':
      return <Blobs {...props} />
    case 'staking':
      return <AddressStaking {...props} />
    case 'grants':
      return <AddressGrants {...props} />
    case 'vestings':
      return <AddressVestings {...props} />
    case 'votes':
      return <AddressVotes {...props} />
  }
  return <Txs {...props} />
}

/** The native balance comes with the account; other denominations are asked for. */
function Balances({ address }: { address: Address }) {
  const loaded = useLoad((signal) => api.listAddressBalances({ hash: address.hash, limit: 100 }, { signal }), 'balances')
  const rows = loaded.state === 'ready' && loaded.value.length > 0 ? loaded.value : [address.balance]
  const amount = (currency: string, value: string) => (currency === 'utia' ? formatTia(value) : value)
  const columns: Column<Balance>[] = [
    {
      title: 'Currency',
      cell: ({ currency }) => <span title={currency}>{currency === 'utia' ? 'TIA' : shorten(currency, 12, 6)}</span>,
    },
    { title: 'Spendable', end: true, cell: ({ currency, spendable }) => amount(currency, spendable) },
    { title: 'Delegated', end: true, wide: rows.length > 1, cell: ({ currency, delegated }) => amount(currency, delegated) },
    { title: 'Unbonding', end: true, wide: true, cell: ({ currency, unbonding }) => amount(currency, unbonding) },
  ]
  return <Table caption="Balances" columns={columns} rows={rows} keyOf={({ currency }) => currency} />
}

function Txs({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listAddressTxs({ hash, ...pageOf(page), sort: 'desc' }, { signal }), `txs ${page}`)
  return (
    <PagedTable
      caption="Transactions signed by the account"
      loaded={loaded}
      page={page}
      columns={txColumns}
      keyOf={({ id }) => id}
      empty="This account has signed no transaction."
    />
  )
}

const messageColumns: Column<MessageForAddress>[] = [
  { title: 'Type', cell: ({ type }) => <span class="badge">{readableType(type)}</span> },
  { title: 'Role', cell: ({ invocation_type }) => readableName(invocation_type) },
  { title: 'Block', wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx }) => <TxLink hash={tx.hash} /> },
  { title: 'Fee', end: true, wide: true, cell: ({ tx }) => <Tia utia={tx.fee} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

function Messages({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad(
    (signal) => api.listAddressMessages({ hash, ...pageOf(page), sort: 'desc' }, { signal }),
    `messages ${page}`,
  )
  return (
    <PagedTable
      caption="Messages that name the account"
      loaded={loaded}
      page={page}
      columns={messageColumns}
      keyOf={({ id, invocation_type }) => `${id} ${invocation_type}`}
      empty="No message names this account."
    />
  )
}

function Blobs({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listAddressBlobs({ hash, ...pageOf(page) }, { signal }), `blobs ${page}`)
  return (
    <PagedTable
      caption="Blobs of the account"
      loaded={loaded}
      page={page}
      columns={withoutColumns(blobColumns, 'Signer', 'Rollup')}
      keyOf={({ id }) => id}
      empty="This account has posted no blob."
    />
  )
}
