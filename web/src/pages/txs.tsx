import { api } from '../api.ts'
import { useLive } from '../live.ts'
import { Choice, Panel } from '../parts/blocks.tsx'
import { txColumns } from '../parts/lists.tsx'
import { PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { useThrottled } from '../use-throttled.ts'

const STATUSES = [
  [undefined, 'All'],
  ['success', 'Successful'],
  ['failed', 'Failed'],
] as const

export function TxsPage({ query }: { query: URLSearchParams }) {
  const page = readPage(query)
  const status = STATUSES.find(([name]) => name === query.get('status'))?.[0]
  const height = useThrottled(useLive(({ head }) => head?.last_height ?? 0))
  const loaded = useLoad(
    (signal) => api.listTxs({ ...pageOf(page), sort: 'desc', ...(status && { status: [status] }) }, { signal }),
    `${status} ${page}`,
    page === 1 ? height : 0,
  )
  return (
    <>
      <Title text="Transactions" />
      <Panel
        title="All transactions, newest first"
        actions={
          <Choice
            label="Status"
            options={STATUSES.map(([value, name]) => ({
              name,
              href: linkTo(['txs'], { status: value }),
              isChosen: value === status,
            }))}
          />
        }
      >
        <PagedTable
          caption="Transactions, newest first"
          loaded={loaded}
          page={page}
          columns={txColumns}
          keyOf={({ id }) => id}
          empty="No such transactions."
        />
      </Panel>
    </>
  )
}
