import type { Namespace } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatBytes, formatInteger } from '../format.ts'
import { useLive } from '../live.ts'
import { Choice, Panel } from '../parts/blocks.tsx'
import { type Column, PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { Ago, Hash, NamespaceLink } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { useThrottled } from '../use-throttled.ts'

const ORDERS = [
  ['size', 'Size'],
  ['time', 'Latest'],
  ['pfb_count', 'Payments'],
] as const

const columns: Column<Namespace>[] = [
  { title: 'Name', cell: ({ hash, name }) => <NamespaceLink hash={hash} name={name} /> },
  { title: 'Id', wide: true, cell: ({ namespace_id }) => <Hash value={namespace_id} what="namespace id" /> },
  { title: 'Size', end: true, cell: ({ size }) => formatBytes(size) },
  { title: 'Blobs', end: true, cell: ({ blobs_count }) => formatInteger(blobs_count) },
  { title: 'Payments', end: true, wide: true, cell: ({ pfb_count }) => formatInteger(pfb_count) },
  { title: 'Latest', end: true, wide: true, cell: ({ last_message_time }) => <Ago time={last_message_time} bare /> },
]

export function NamespacesPage({ query }: { query: URLSearchParams }) {
  const page = readPage(query)
  const order = ORDERS.find(([name]) => name === query.get('order'))?.[0] ?? 'size'
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    10_000,
  )
  const loaded = useLoad(
    (signal) => api.listNamespaces({ ...pageOf(page), sort_by: order, sort: 'desc' }, { signal }),
    `${order} ${page}`,
    page === 1 ? height : 0,
  )
  return (
    <>
      <Title text="Namespaces" />
      <Panel
        title="All namespaces"
        actions={
          <Choice
            label="Order"
            options={ORDERS.map(([value, name]) => ({
              name,
              href: linkTo(['namespaces'], { order: value === 'size' ? undefined : value }),
              isChosen: value === order,
            }))}
          />
        }
      >
        <PagedTable
          caption="Namespaces"
          loaded={loaded}
          page={page}
          columns={columns}
          keyOf={({ id }) => id}
          empty="No blob has been posted yet."
        />
      </Panel>
    </>
  )
}
