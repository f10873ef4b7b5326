import { useLive } from '../../live.ts'
import { Listing } from '../../parts/listing.tsx'
import { MESSAGE_TYPE_OPTIONS, PERIOD_FILTERS, TX_FILTERS, txColumns } from '../../parts/lists.tsx'
import { Panel } from '../../parts/panels.tsx'
import { Title } from '../../shell/title.tsx'
import { useThrottled } from '../../use-throttled.ts'

const FILTERS = [
  ...TX_FILTERS,
  { name: 'excluded_msg_type', label: 'Without type', options: MESSAGE_TYPE_OPTIONS },
  { name: 'height', label: 'Block' },
  ...PERIOD_FILTERS,
]

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
          columns={txColumns}
          keyOf={({ id }) => id}
          query={query}
          refresh={height}
          empty="No such transactions."
        />
      </Panel>
    </>
  )
}
