import { useState } from 'preact/hooks'
import type { Namespace, RollupProvider, RollupWithStats } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { postingTimes } from '../../figures/posting-times.ts'
import { formatBytes, formatChange, formatCompact, formatInteger, formatPercent, formatTiaShort } from '../../format.ts'
import { Bars } from '../../parts/charts/bars.tsx'
import { SeriesPanel } from '../../parts/charts/series-panel.tsx'
import { Listing } from '../../parts/listing.tsx'
import { BLOB_ORDERS, blobColumns, withoutColumns } from '../../parts/lists.tsx'
import { Monogram } from '../../parts/monogram.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { OutLink } from '../../parts/out-link.tsx'
import { Await, Fact, Facts, Panel, Switch } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { AddressLink, Ago, Moment, NamespaceLink, Tia } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'

const TABS = [
  ['blobs', 'Blobs'],
  ['namespaces', 'Namespaces'],
  ['providers', 'Providers'],
] as const

export function RollupPage({ slug, query }: { slug: string; query: URLSearchParams }) {
  const loaded = useLoad((signal) => api.getRollupBySlug({ slug }, { signal }), 'rollup')
  const name = loaded.state === 'ready' ? loaded.value.name : slug
  return (
    <>
      <Title text={`Rollup ${name}`}>
        <Monogram name={name} logo={loaded.state === 'ready' ? loaded.value.logo : undefined} /> {name}
      </Title>
      <Await loaded={loaded} rows={8} missing="There is no such rollup, or it has posted nothing yet.">
        {(rollup) => <Content rollup={rollup} query={query} />}
      </Await>
    </>
  )
}

function Content({ rollup, query }: { rollup: RollupWithStats; query: URLSearchParams }) {
  const { id, slug } = rollup
  return (
    <>
      <div class="columns">
        <Panel title="Summary" actions={<a href={addressOf('getRollupBySlug', { slug })}>JSON</a>}>
          <Summary rollup={rollup} />
        </Panel>
        <div class="stack">
          <SeriesPanel
            title="Over time"
            names={[
              ['size', 'Size', formatBytes],
              ['blobs_count', 'Blobs', formatCompact],
              ['size_per_blob', 'Per blob', formatBytes, 'mean'],
              ['fee', 'Fees', formatTiaShort],
            ]}
            timeframes={['hour', 'day', 'month']}
            load={(name, timeframe, span, signal) => api.getRollupSeries({ id, name, timeframe, ...span }, { signal })}
          />
          <Distribution id={id} />
        </div>
      </div>
      <Tabs label="Parts of the rollup" place={['rollup', slug]} tabs={TABS} query={query}>
        {(tab) => <Tab tab={tab} id={id} query={query} />}
      </Tabs>
    </>
  )
}

type TabProps = { id: number; query: URLSearchParams }

function Tab({ tab, id, query }: TabProps & { tab: (typeof TABS)[number][0] }) {
  switch (tab) {
    case 'blobs':
      return <Blobs id={id} query={query} />
    case 'namespaces':
      return (
        <Listing
          caption="Namespaces of the rollup"
          operation="listRollupNamespaces"
          input={{ id }}
          columns={namespaceColumns}
          keyOf={({ id }) => id}
          query={query}
          empty="None."
        />
      )
    case 'providers':
      return <Providers id={id} />
  }
}

/** Facts of the registry that are plain words. */
const WORDS = ['stack', 'type', 'category', 'vm', 'provider', 'settled_on', 'compression', 'defi_lama', 'bridge'] as const
const LINKS = ['website', 'explorer', 'twitter', 'github', 'l2_beat'] as const

function Summary({ rollup }: { rollup: RollupWithStats }) {
  const links = LINKS.flatMap((field) => (rollup[field] ? [[field, rollup[field]] as const] : []))
  return (
    <>
      {rollup.description && <p class="description">{rollup.description}</p>}
      <Facts>
        <Fact name="State">
          <span class={`badge ${rollup.is_active ? 'good' : 'warn'}`}>{rollup.is_active ? 'Active' : 'Quiet'}</span>
        </Fact>
        <Fact name="Data">
          {formatBytes(rollup.size)} in {formatInteger(rollup.blobs_count)} blobs{' '}
          <span class="muted">{formatPercent(rollup.size_pct)} of all rollups</span>
        </Fact>
        <Fact name="Fees">
          <Tia utia={rollup.fee} /> <span class="muted">{formatPercent(rollup.fee_pct)} of all rollups</span>
        </Fact>
        <Fact name="Week over week">{formatChange(rollup.da_pct)}</Fact>
        <Fact name="First blob">
          <Moment time={rollup.first_message_time} />
        </Fact>
        <Fact name="Last blob">
          <Moment time={rollup.last_message_time} />
        </Fact>
        {WORDS.map(
          (field) =>
            rollup[field] && (
              <Fact key={field} name={field.replaceAll('_', ' ')}>
                {<span class="break">{rollup[field]}</span>}
              </Fact>
            ),
        )}
        {rollup.tags && rollup.tags.length > 0 && (
          <Fact name="Tags">
            {rollup.tags.map((tag) => (
              <span key={tag} class="badge">
                {tag}
              </span>
            ))}
          </Fact>
        )}
        {links.length + (rollup.links?.length ?? 0) > 0 && (
          <Fact name="Links">
            <span class="links">
              {links.map(([field, url]) => (
                <OutLink key={field} url={url} name={field.replaceAll('_', ' ')} />
              ))}
              {rollup.links?.map((url) => (
                <OutLink key={url} url={url} />
              ))}
            </span>
          </Fact>
        )}
      </Facts>
    </>
  )
}

function Distribution({ id }: { id: number }) {
  const [timeframe, setTimeframe] = useState<'hour' | 'day'>('hour')
  const loaded = useLoad((signal) => api.getRollupDistribution({ id, name: 'size', timeframe }, { signal }), timeframe)
  return (
    <Panel
      title="When it posts"
      actions={
        <Switch
          label="Distribution by"
          value={timeframe}
          options={[
            ['hour', 'Hour of day'],
            ['day', 'Weekday'],
          ]}
          onChange={setTimeframe}
        />
      }
    >
      <Await loaded={loaded} rows={5}>
        {(rows) => (
          <Bars
            label={timeframe === 'hour' ? 'Mean size by hour of the day, UTC' : 'Mean size by weekday'}
            format={formatBytes}
            rows={postingTimes(rows, timeframe)}
          />
        )}
      </Await>
    </Panel>
  )
}

function Blobs({ id, query }: TabProps) {
  const order = readOrder(BLOB_ORDERS, query)
  return (
    <>
      <div class="inner-actions">
        <Order orders={BLOB_ORDERS} chosen={order} />
      </div>
      <Listing
        caption={`Blobs of the rollup, ${order === 'size' ? 'largest' : 'newest'} first`}
        operation="listRollupBlobs"
        input={{ id, sort: 'desc', sort_by: order }}
        columns={withoutColumns(blobColumns, 'Rollup')}
        keyOf={({ id }) => id}
        query={query}
        empty="No blobs."
      />
    </>
  )
}

const namespaceColumns: Column<Namespace>[] = [
  { title: 'Name', cell: ({ hash, name }) => <NamespaceLink hash={hash} name={name} /> },
  { title: 'Size', end: true, cell: ({ size }) => formatBytes(size) },
  { title: 'Blobs', end: true, cell: ({ blobs_count }) => formatInteger(blobs_count) },
  { title: 'Latest', end: true, wide: true, cell: ({ last_message_time }) => <Ago time={last_message_time} bare /> },
]

const providerColumns: Column<RollupProvider>[] = [
  { title: 'Signer', cell: ({ address }) => (address ? <AddressLink address={{ hash: address }} /> : 'any') },
  { title: 'Namespace', cell: ({ namespace }) => (namespace ? <NamespaceLink hash={namespace} /> : 'any') },
]

function Providers({ id }: { id: number }) {
  const loaded = useLoad((signal) => api.listRollupProviders({ id }, { signal }), 'providers')
  return (
    <Await loaded={loaded}>
      {(rows) => (
        <Table caption="Providers of the rollup" columns={providerColumns} rows={rows} keyOf={(_, i) => i} empty="None." />
      )}
    </Await>
  )
}
