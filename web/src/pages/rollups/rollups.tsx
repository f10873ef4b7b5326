import { useState } from 'preact/hooks'
import type { RollupWithDayStats, RollupWithStats } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatBytes, formatChange, formatInteger, formatPercent } from '../../format.ts'
import { Bars } from '../../parts/charts/bars.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Monogram } from '../../parts/monogram.tsx'
import { Order, readOrder } from '../../parts/order.tsx'
import { Await, Panel, Switch } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Ago, Tia } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { RollupSeries } from './rollup-series.tsx'

const ORDERS = [
  ['size', 'Size'],
  ['blobs_count', 'Blobs'],
  ['fee', 'Fees'],
  ['time', 'Latest'],
] as const

const columns: Column<RollupWithStats>[] = [
  {
    title: 'Rollup',
    cell: ({ name, slug, logo, stack }) => (
      <span class="named">
        <Monogram name={name} logo={logo} />
        <span>
          <a href={linkTo(['rollup', slug])}>{name}</a>
          {stack && <small class="muted">{stack}</small>}
        </span>
      </span>
    ),
  },
  { title: 'Size', end: true, cell: ({ size }) => formatBytes(size) },
  { title: 'Share', end: true, wide: true, cell: ({ size_pct }) => formatPercent(size_pct) },
  { title: 'Blobs', end: true, wide: true, cell: ({ blobs_count }) => formatInteger(blobs_count) },
  { title: 'Fees', end: true, wide: true, cell: ({ fee }) => <Tia utia={fee} /> },
  { title: '7 days', end: true, wide: true, cell: ({ da_pct }) => formatChange(da_pct) },
  { title: 'Latest', end: true, cell: ({ last_message_time }) => <Ago time={last_message_time} bare /> },
]

const named = (values: readonly string[]) => values.map((value) => [value, value] as const)

const FILTERS = [
  { name: 'category', label: 'Category', options: named(['uncategorized', 'finance', 'gaming', 'nft', 'social']) },
  { name: 'type', label: 'Type', options: named(['sovereign', 'settled', 'other']) },
  {
    name: 'is_active',
    label: 'State',
    options: [
      ['true', 'active'],
      ['false', 'quiet'],
    ] as const,
  },
  { name: 'stack', label: 'Stack' },
  { name: 'provider', label: 'Provider' },
  { name: 'tags', label: 'Tag' },
]

export function RollupsPage({ query }: { query: URLSearchParams }) {
  const order = readOrder(ORDERS, query)
  return (
    <>
      <Title text="Rollups" />
      <Panel title="All rollups" actions={<Order orders={ORDERS} chosen={order} />}>
        <Listing
          caption="Rollups"
          operation="listRollups"
          input={{ sort_by: order, sort: 'desc' }}
          filters={FILTERS}
          columns={columns}
          keyOf={({ id }) => id}
          query={query}
          empty="No such rollup is listed on this network."
        />
      </Panel>
      <RollupSeries />
      <div class="columns">
        <Day />
        <Groups />
      </div>
    </>
  )
}

const dayColumns: Column<RollupWithDayStats>[] = [
  { title: 'Rollup', cell: ({ name, slug }) => <a href={linkTo(['rollup', slug])}>{name}</a> },
  { title: 'Throughput', end: true, cell: ({ throughput }) => `${formatBytes(throughput)}/s` },
  { title: 'Size', end: true, cell: ({ total_size }) => formatBytes(total_size) },
  { title: 'Price per MiB', end: true, wide: true, cell: ({ mb_price }) => <Tia utia={mb_price} /> },
]

function Day() {
  const loaded = useLoad((signal) => api.listRollupDay({ limit: 10 }, { signal }), 'day')
  return (
    <Panel title="Last 24 hours">
      <Await loaded={loaded} rows={5}>
        {(rows) => (
          <Table
            caption="Rollups in the last 24 hours"
            columns={dayColumns}
            rows={rows}
            keyOf={({ id }) => id}
            empty="No rollup has posted in the last 24 hours."
          />
        )}
      </Await>
    </Panel>
  )
}

const GROUPS = [
  ['stack', 'Stack'],
  ['type', 'Type'],
  ['category', 'Category'],
  ['vm', 'VM'],
  ['provider', 'Provider'],
] as const

function Groups() {
  const [column, setColumn] = useState<(typeof GROUPS)[number][0]>('stack')
  const loaded = useLoad((signal) => api.groupRollups({ func: 'sum', column }, { signal }), column)
  return (
    <Panel title="Size by group" actions={<Switch label="Group by" value={column} options={GROUPS} onChange={setColumn} />}>
      <Await loaded={loaded} rows={5}>
        {(rows) => (
          <Bars
            label={`Size by ${column}`}
            format={formatBytes}
            rows={[...rows]
              .sort((a, b) => b.size - a.size)
              .map(({ group, size }) => ({ name: group || 'not said', value: size }))}
          />
        )}
      </Await>
    </Panel>
  )
}
