import type { LightBlobLog } from '../../../../src/client/gen/operations.ts'
import { formatBytes } from '../../format.ts'
import { useLive } from '../../live.ts'
import { Listing } from '../../parts/listing.tsx'
import { BLOB_ORDERS } from '../../parts/lists.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Hash, NamespaceLink, TxLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useThrottled } from '../../use-throttled.ts'

const columns: Column<LightBlobLog>[] = [
  {
    title: 'Blob',
    cell: ({ commitment, height, namespace }) => (
      <Hash value={commitment} what="commitment" copy={false} first={6} href={linkTo(['blob', height, namespace, commitment])} />
    ),
  },
  { title: 'Namespace', cell: ({ namespace }) => <NamespaceLink hash={namespace} /> },
  { title: 'Size', end: true, cell: ({ size }) => formatBytes(size) },
  { title: 'Content', wide: true, cell: ({ content_type }) => <span class="clip">{content_type.replace(/;.*$/, '')}</span> },
  { title: 'Signer', wide: true, cell: ({ signer }) => (signer ? <AddressLink address={signer} /> : '–') },
  { title: 'Block', wide: true, end: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash} /> },
  { title: 'Age', end: true, wide: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const FILTERS = [
  { name: 'namespaces', label: 'Namespace, base64' },
  { name: 'signers', label: 'Signer' },
  { name: 'commitment', label: 'Commitment' },
]

export function BlobsPage({ query }: { query: URLSearchParams }) {
  const order = readOrder(BLOB_ORDERS, query)
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    5000,
  )
  return (
    <>
      <Title text="Blobs" />
      <Panel
        title={order === 'size' ? 'All blobs, largest first' : 'All blobs, newest first'}
        actions={<Order orders={BLOB_ORDERS} chosen={order} />}
      >
        <Listing
          caption="Blobs"
          operation="listBlobs"
          input={{ sort: 'desc', sort_by: order }}
          filters={FILTERS}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          refresh={height}
          empty="No such blobs."
        />
      </Panel>
    </>
  )
}
