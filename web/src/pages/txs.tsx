import { useLive } from '../live.ts'
import { Panel } from '../parts/blocks.tsx'
import { Listing } from '../parts/listing.tsx'
import { txColumns } from '../parts/lists.tsx'
import { AddressLink } from '../parts/values.tsx'
import { Title } from '../shell/title.tsx'
import { useThrottled } from '../use-throttled.ts'

const FILTERS = [
  {
    name: 'status',
    label: 'Status',
    options: [
      ['success', 'successful'],
      ['failed', 'failed'],
    ] as const,
  },
  { name: 'msg_type', label: 'Message type' },
  { name: 'height', label: 'Block' },
]

const columns = txColumns.flatMap((column) =>
  column.title === 'Block'
    ? [
        {
          title: 'Signer',
          wide: true,
          cell: ({ signers }: Parameters<typeof column.cell>[0]) => (signers?.[0] ? <AddressLink address={signers[0]} /> : '–'),
        },
        column,
      ]
    : [column],
)

export function TxsPage({ query }: { query: URLSearchParams }) {
  const height = useThrottled(useLive(({ head }) => head?.last_height ?? 0))
  return (
    <>
      <Title text="Transactions" />
      <Panel title="All transactions, newest first">
        <Listing
          caption="Transactions, newest first"
          operation="listTxs"
          input={{ sort: 'desc' }}
          filters={FILTERS}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          refresh={height}
          empty="No such transactions."
        />
      </Panel>
    </>
  )
}
