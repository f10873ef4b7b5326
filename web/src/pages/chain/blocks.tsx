import { useLive } from '../../live.ts'
import { Listing } from '../../parts/listing.tsx'
import { blockColumns } from '../../parts/lists.tsx'
import { Panel } from '../../parts/panels.tsx'
import { Title } from '../../shell/title.tsx'
import { useThrottled } from '../../use-throttled.ts'

export function BlocksPage({ query }: { query: URLSearchParams }) {
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    1000,
  )
  return (
    <>
      <Title text="Blocks" />
      <Panel title="All blocks, newest first">
        <Listing
          caption="Blocks, newest first"
          operation="listBlocks"
          input={{ sort: 'desc', stats: true }}
          columns={blockColumns}
          keyOf={({ hash, id }) => hash || id}
          query={query}
          refresh={height}
        />
      </Panel>
    </>
  )
}
