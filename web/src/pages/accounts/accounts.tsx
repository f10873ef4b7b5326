import type { Address } from '../../../../src/client/gen/operations.ts'
import { Listing } from '../../parts/listing.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, BlockLink, Tia, TiaShort } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'

const ORDERS = [
  ['spendable', 'Spendable'],
  ['delegated', 'Delegated'],
  ['unbonding', 'Unbonding'],
  ['last_height', 'Last seen'],
  ['first_height', 'Newest'],
] as const

const columns: Column<Address>[] = [
  {
    title: 'Account',
    cell: ({ hash, celestials, name }) =>
      name ? (
        <>
          <AddressLink address={{ hash }} />
          <small>
            <span class="badge">{name}</span>
          </small>
        </>
      ) : (
        <AddressLink address={{ hash, ...(celestials && { celestials }) }} />
      ),
  },
  { title: 'Spendable', end: true, cell: ({ balance }) => <Spendable utia={balance.spendable || '0'} /> },
  { title: 'Delegated', end: true, wide: true, cell: ({ balance }) => <Tia utia={balance.delegated || '0'} /> },
  { title: 'Unbonding', end: true, wide: true, cell: ({ balance }) => <Tia utia={balance.unbonding || '0'} /> },
  { title: 'Last seen', end: true, wide: true, cell: ({ last_height }) => <BlockLink height={last_height} /> },
]

const Spendable = ({ utia }: { utia: string }) => (
  <>
    <span class="wide">
      <Tia utia={utia} />
    </span>
    <span class="narrow">
      <TiaShort utia={utia} />
    </span>
  </>
)

export function AddressesPage({ query }: { query: URLSearchParams }) {
  const order = readOrder(ORDERS, query)
  return (
    <>
      <Title text="Accounts" />
      <Panel title="All accounts" actions={<Order orders={ORDERS} chosen={order} />}>
        <Listing
          caption="Accounts"
          operation="listAddresses"
          input={{ sort_by: order, sort: 'desc' }}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
        />
      </Panel>
    </>
  )
}
