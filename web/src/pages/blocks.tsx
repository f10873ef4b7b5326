import { api } from '../api.ts'
import { useLive } from '../live.ts'
import { Panel } from '../parts/blocks.tsx'
import { blockColumns } from '../parts/lists.tsx'
import { PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { useThrottled } from '../use-throttled.ts'

export function BlocksPage({ query }: { query: URLSearchParams }) {
  const page = readPage(query)
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    1000,
  )
  const loaded = useLoad(
    (signal) => api.listBlocks({ ...pageOf(page), sort: 'desc', stats: true }, { signal }),
    `page ${page}`,
    page === 1 ? height : 0,
  )
  return (
    <>
      <Title text="Blocks" />
      <Panel title="All blocks, newest first">
        <PagedTable
          caption="Blocks, newest first"
          loaded={loaded}
          page={page}
          columns={blockColumns}
          keyOf={({ hash, id }) => hash || id}
        />
      </Panel>
    </>
  )
}
