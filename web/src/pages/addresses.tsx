import type { Address } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { Choice, Panel } from '../parts/blocks.tsx'
import { type Column, PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { AddressLink, BlockLink, Tia } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

const ORDERS = [
  ['spendable', 'Spendable'],
  ['delegated', 'Delegated'],
  ['last_height', 'Last seen'],
  ['first_height', 'Newest'],
] as const

const columns: Column<Address>[] = [
  {
    title: 'Account',
    cell: ({ hash, celestials, name }) =>
      name ? (
        <>
          <AddressLink address={{ hash }} /> <span class="badge">{name}</span>
        </>
      ) : (
        <AddressLink address={{ hash, ...(celestials && { celestials }) }} />
      ),
  },
  { title: 'Spendable', end: true, cell: ({ balance }) => <Tia utia={balance.spendable || '0'} /> },
  { title: 'Delegated', end: true, wide: true, cell: ({ balance }) => <Tia utia={balance.delegated || '0'} /> },
  { title: 'Last seen', end: true, wide: true, cell: ({ last_height }) => <BlockLink height={last_height} /> },
]

export function AddressesPage({ query }: { query: URLSearchParams }) {
  const page = readPage(query)
  const order = ORDERS.find(([name]) => name === query.get('order'))?.[0] ?? 'spendable'
  const loaded = useLoad(
    (signal) => api.listAddresses({ ...pageOf(page), sort_by: order, sort: 'desc' }, { signal }),
    `${order} ${page}`,
  )
  return (
    <>
      <Title text="Accounts" />
      <Panel
        title="All accounts"
        actions={
          <Choice
            label="Order"
            options={ORDERS.map(([value, name]) => ({
              name,
              href: linkTo(['addresses'], { order: value === 'spendable' ? undefined : value }),
              isChosen: value === order,
            }))}
          />
        }
      >
        <PagedTable caption="Accounts" loaded={loaded} page={page} columns={columns} keyOf={({ id }) => id} />
      </Panel>
    </>
  )
}
