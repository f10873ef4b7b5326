import type { Forwarding } from '../../../../src/client/gen/operations.ts'
import { formatCoin, shorten } from '../../format.ts'
import { Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panels.tsx'
import { ApiRecord } from '../../parts/record.tsx'
import { Siblings } from '../../parts/siblings.tsx'
import type { Column } from '../../parts/table.tsx'
import { AddressLink, Ago, BlockLink, Hash, TxLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'

const columns: Column<Forwarding>[] = [
  { title: 'Id', cell: ({ id }) => <a href={linkTo(['forwarding', id])}>{id}</a> },
  { title: 'From', cell: ({ forward_address }) => (forward_address ? <AddressLink address={forward_address} /> : '–') },
  {
    title: 'To',
    wide: true,
    cell: ({ dest_address, dest_domain, chain }) => (
      <>
        <Hash value={dest_address} what="destination" copy={false} />{' '}
        <span class="muted">{chain?.name ?? `domain ${dest_domain}`}</span>
      </>
    ),
  },
  { title: 'Amount', end: true, cell: ({ amount, denom }) => <span title={denom}>{formatCoin(amount, shorten(denom))}</span> },
  { title: 'Block', end: true, wide: true, cell: ({ height }) => <BlockLink height={height} /> },
  { title: 'Transaction', wide: true, cell: ({ tx_hash }) => <TxLink hash={tx_hash} /> },
  { title: 'Age', end: true, cell: ({ time }) => <Ago time={time} bare /> },
]

const FILTERS = [
  { name: 'address', label: 'Account' },
  { name: 'tx_hash', label: 'Transaction' },
  { name: 'height', label: 'Block' },
]

export function ForwardingsPage({ query }: { query: URLSearchParams }) {
  return (
    <>
      <Title text="Forwarding" actions={<Siblings family="bridges" current="forwarding" />} />
      <Panel title="Forwarded transfers, newest first">
        <Listing
          caption="Forwarded transfers, newest first"
          operation="listForwardings"
          input={{ sort: 'desc' }}
          filters={FILTERS}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          empty="Nothing has been forwarded to another chain."
        />
      </Panel>
    </>
  )
}

export const ForwardingPage = ({ id }: { id: number }) => (
  <ApiRecord title={`Forwarding ${id}`} operation="getForwarding" id={id} missing="There is no such forwarding." />
)
