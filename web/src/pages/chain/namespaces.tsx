import type { Namespace } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatBytes, formatInteger } from '../../format.ts'
import { useLive } from '../../live.ts'
import { NamespaceTreemap } from '../../parts/charts/namespace-treemap.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { Await, Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { Ago, Hash, NamespaceLink } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { useThrottled } from '../../use-throttled.ts'

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
  const order = readOrder(ORDERS, query)
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    10_000,
  )
  return (
    <>
      <Title text="Namespaces" />
      <Usage />
      <Panel title="All namespaces" actions={<Order orders={ORDERS} chosen={order} />}>
        <Listing
          caption="Namespaces"
          operation="listNamespaces"
          input={{ sort_by: order, sort: 'desc' }}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          refresh={height}
          empty="No blob has been posted yet."
        />
      </Panel>
    </>
  )
}

const DRAWN = 40

function Usage() {
  const loaded = useLoad((signal) => api.listNamespaceUsage({ top: DRAWN }, { signal }), 'usage')
  return (
    <Panel title="Blob data by namespace">
      <Await loaded={loaded} rows={6}>
        {(rows) => <NamespaceTreemap rows={rows} />}
      </Await>
    </Panel>
  )
}
