import type { Namespace, Rollup } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { formatBytes, formatCompact, formatInteger, shorten } from '../../format.ts'
import { nameOf } from '../../namespace.ts'
import { SeriesPanel } from '../../parts/charts/series-panel.tsx'
import { Listing } from '../../parts/listing.tsx'
import { BLOB_ORDERS, blobColumnsOf, PERIOD_FILTERS } from '../../parts/lists.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { Await, Fact, Facts, Panel } from '../../parts/panels.tsx'
import type { Column } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { BlockLink, Hash, Moment } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'

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
  const tabs = [
    ['blobs', `Blobs ${formatInteger(namespace.blobs_count)}`],
    ['rollups', 'Rollups'],
  ] as const
  return (
    <>
      <div class="columns">
        <Panel title="Summary" actions={<a href={addressOf('getNamespace', { id, version })}>JSON</a>}>
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
          load={(name, timeframe, span, signal) => api.getNamespaceSeries({ id, name, timeframe, ...span }, { signal })}
        />
      </div>
      <Tabs label="Parts of the namespace" place={['namespace', id, version]} tabs={tabs} query={query}>
        {(tab) =>
          tab === 'rollups' ? (
            <Rollups id={id} version={version} query={query} />
          ) : (
            <Blobs id={id} version={version} hash={namespace.hash} query={query} />
          )
        }
      </Tabs>
    </>
  )
}

const BLOB_FILTERS = [{ name: 'signers', label: 'Signer' }, { name: 'commitment', label: 'Commitment' }, ...PERIOD_FILTERS]

function Blobs({ id, version, hash, query }: Props & { hash: string }) {
  const order = readOrder(BLOB_ORDERS, query)
  return (
    <>
      <div class="inner-actions">
        <Order orders={BLOB_ORDERS} chosen={order} />
      </div>
      <Listing
        caption={`Blobs of the namespace, ${order === 'size' ? 'largest' : 'newest'} first`}
        operation="listNamespaceBlobs"
        input={{ id, version, sort: 'desc', sort_by: order }}
        filters={BLOB_FILTERS}
        columns={blobColumnsOf(hash)}
        keyOf={({ id }) => id}
        query={query}
        empty="No such blobs."
      />
    </>
  )
}

const rollupColumns: Column<Rollup>[] = [
  { title: 'Name', cell: ({ name, slug }) => <a href={linkTo(['rollup', slug])}>{name}</a> },
  { title: 'Stack', cell: ({ stack }) => stack ?? '–' },
  { title: 'Category', wide: true, cell: ({ category }) => category ?? '–' },
]

const Rollups = ({ id, version, query }: Props) => (
  <Listing
    caption="Rollups that use the namespace"
    operation="listNamespaceRollups"
    input={{ id, version }}
    columns={rollupColumns}
    keyOf={({ id }) => id}
    query={query}
    empty="No listed rollup uses this namespace."
  />
)
