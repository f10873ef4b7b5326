import type { Address, MessageForAddress } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { formatCompact, formatTiaShort, readableName, readableType, shorten } from '../../format.ts'
import { BalanceProof } from '../../parts/balance-proof.tsx'
import { SeriesPanel } from '../../parts/charts/series-panel.tsx'
import { Listing } from '../../parts/listing.tsx'
import {
  BLOB_ORDERS,
  blobColumns,
  MESSAGE_TYPE_FILTER,
  PERIOD_FILTERS,
  TX_FILTERS,
  txColumns,
  withoutColumns,
} from '../../parts/lists.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { Await, Fact, Facts, Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Ago, BlockLink, Hash, Tia, TxLink } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { Balances, Worth } from './account-balances.tsx'
import { AddressHistory } from './account-history.tsx'
import { AddressGrants, AddressStaking, AddressVestings, AddressVotes } from './account-lists.tsx'

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
  return (
    <>
      <div class="columns">
        <Panel title="Account" actions={<a href={addressOf('getAddress', { hash })}>JSON</a>}>
          <Facts>
            <Fact name="Address">
              <Hash value={hash} what="address" whole />
            </Fact>
            {(address.celestials || address.name) && <Fact name="Name">{address.celestials?.name ?? address.name}</Fact>}
            {address.is_forwarding && <Fact name="Kind">forwarding account</Fact>}
            <Worth address={address} />
            <Fact name="First seen">
              block <BlockLink height={address.first_height} />
            </Fact>
            <Fact name="Last seen">
              block <BlockLink height={address.last_height} />
            </Fact>
          </Facts>
        </Panel>
        <SeriesPanel
          title="Over time"
          names={[
            ['balance', 'Balance', formatTiaShort, 'last'],
            ['tx_count', 'Transactions', formatCompact],
            ['fee', 'Fees', formatTiaShort],
            ['rewards', 'Rewards', formatTiaShort],
            ['gas_used', 'Gas used', formatCompact],
            ['gas_wanted', 'Gas wanted', formatCompact],
          ]}
          timeframes={['hour', 'day', 'month']}
          levels={['balance']}
          load={(name, timeframe, span, signal) => api.getAddressSeries({ hash, name, timeframe, ...span }, { signal })}
        />
      </div>
      <Panel title="Balances">
        <Balances address={address} />
      </Panel>
      <BalanceProof hash={hash} />
      <Tabs label="Parts of the account" place={['address', hash]} tabs={TABS} query={query}>
        {(tab) => <Tab tab={tab} hash={hash} query={query} />}
      </Tabs>
    </>
  )
}

function Tab({ tab, ...props }: Props & { tab: (typeof TABS)[number][0] }) {
  switch (tab) {
    case 'txs':
      return <Txs {...props} />
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
}

const Txs = ({ hash, query }: Props) => (
  <Listing
    caption="Transactions signed by the account"
    operation="listAddressTxs"
    input={{ hash, sort: 'desc' }}
    filters={[...TX_FILTERS, { name: 'height', label: 'Block' }, ...PERIOD_FILTERS]}
    columns={withoutColumns(txColumns, 'Signer')}
    keyOf={({ id }) => id}
    query={query}
    empty="This account has signed no such transaction."
  />
)

const messageColumns: Column<MessageForAddress>[] = [
  { title: 'Type', cell: ({ type }) => <span class="badge">{readableType(type)}</span> },
  { title: 'Role', cell: ({ invocation_type }) => readableName(invocation_type) },
  { title: 'Block', wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx }) => <TxLink hash={tx.hash} /> },
  { title: 'Fee', end: true, wide: true, cell: ({ tx }) => <Tia utia={tx.fee} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const Messages = ({ hash, query }: Props) => (
  <Listing
    caption="Messages that name the account"
    operation="listAddressMessages"
    input={{ hash, sort: 'desc' }}
    filters={[MESSAGE_TYPE_FILTER]}
    columns={messageColumns}
    keyOf={({ id, invocation_type }) => `${id} ${invocation_type}`}
    query={query}
    empty="No such message names this account."
  />
)

function Blobs({ hash, query }: Props) {
  const order = readOrder(BLOB_ORDERS, query)
  return (
    <>
      <div class="inner-actions">
        <Order orders={BLOB_ORDERS} chosen={order} />
      </div>
      <Listing
        caption="Blobs of the account"
        operation="listAddressBlobs"
        input={{ hash, sort: 'desc', sort_by: order }}
        columns={withoutColumns(blobColumns, 'Signer', 'Rollup')}
        keyOf={({ id }) => id}
        query={query}
        empty="This account has posted no blob."
      />
    </>
  )
}
