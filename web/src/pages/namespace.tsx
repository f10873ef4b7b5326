import type { Namespace, Rollup } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatBytes, formatCompact, formatInteger, shorten } from '../format.ts'
import { nameOf } from '../namespace.ts'
import { Await, Choice, Fact, Facts, Panel } from '../parts/blocks.tsx'
import { blobColumnsOf } from '../parts/lists.tsx'
import { SeriesPanel } from '../parts/series-panel.tsx'
import { type Column, PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { BlockLink, Hash, Moment } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

type Props = { id: string; version: number; query: URLSearchParams }

export function NamespacePage({ id, version, query }: Props) {
  const loaded = useLoad((signal) => api.getNamespace({ id, version }, { signal }), 'namespace')
  return (
    <>
      <Title text={`Namespace ${shorten(nameOf(id) || 'zero', 20, 6)}`} />
      <Await loaded={loaded} rows={8} missing="No blob has been posted to this namespace.">
        {(namespace) => <Content namespace={namespace} id={id} version={version} query={query} />}
      </Await>
    </>
  )
}

function Content({ namespace, id, version, query }: Props & { namespace: Namespace }) {
  const tab = query.get('tab') === 'rollups' ? 'rollups' : 'blobs'
  const tabs = [
    ['blobs', `Blobs ${formatInteger(namespace.blobs_count)}`],
    ['rollups', 'Rollups'],
  ] as const
  return (
    <>
      <div class="columns">
        <Panel title="Summary">
          <Facts>
            <Fact name="Id">
              <Hash value={namespace.namespace_id} what="namespace id" whole />
            </Fact>
            <Fact name="Base64">
              <Hash value={namespace.hash} what="namespace in base64" whole />
            </Fact>
            <Fact name="Version">
              {namespace.version}
              {namespace.reserved && ', reserved'}
            </Fact>
            <Fact name="Data">
              {formatBytes(namespace.size)} in {formatInteger(namespace.blobs_count)} blobs
            </Fact>
            <Fact name="Payments">{formatInteger(namespace.pfb_count)}</Fact>
            <Fact name="Last blob">
              block <BlockLink height={namespace.last_height} />, <Moment time={namespace.last_message_time} />
            </Fact>
          </Facts>
        </Panel>
        <SeriesPanel
          title="Use over time"
          names={[
            ['size', 'Size', formatBytes],
            ['pfb_count', 'Payments', formatCompact],
          ]}
          timeframes={['hour', 'day', 'week', 'month', 'year']}
          load={(name, timeframe, from, signal) => api.getNamespaceSeries({ id, name, timeframe, from }, { signal })}
        />
      </div>
      <Panel
        title={tabs.find(([name]) => name === tab)?.[1] ?? 'Blobs'}
        actions={
          <Choice
            label="Parts of the namespace"
            options={tabs.map(([name, text]) => ({
              name: text,
              href: linkTo(['namespace', id, version], { tab: name === 'blobs' ? undefined : name }),
              isChosen: name === tab,
            }))}
          />
        }
      >
        {tab === 'rollups' ? (
          <Rollups id={id} version={version} query={query} />
        ) : (
          <Blobs id={id} version={version} hash={namespace.hash} query={query} />
        )}
      </Panel>
    </>
  )
}

function Blobs({ id, version, hash, query }: Props & { hash: string }) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listNamespaceBlobs({ id, version, ...pageOf(page) }, { signal }), `blobs ${page}`)
  return (
    <PagedTable
      caption="Blobs of the namespace, newest first"
      loaded={loaded}
      page={page}
      columns={blobColumnsOf(hash)}
      keyOf={({ id }) => id}
      empty="No blobs."
    />
  )
}

const rollupColumns: Column<Rollup>[] = [
  { title: 'Name', cell: ({ name, slug }) => <a href={linkTo(['rollup', slug])}>{name}</a> },
  { title: 'Stack', cell: ({ stack }) => stack ?? '–' },
  { title: 'Category', wide: true, cell: ({ category }) => category ?? '–' },
]

function Rollups({ id, version, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listNamespaceRollups({ id, version, ...pageOf(page) }, { signal }), `rollups ${page}`)
  return (
    <PagedTable
      caption="Rollups that use the namespace"
      loaded={loaded}
      page={page}
      columns={rollupColumns}
      keyOf={({ id }) => id}
      empty="No listed rollup uses this namespace."
    />
  )
}
