import { useMemo, useState } from 'preact/hooks'
import type { RollupAllSeriesResponse, RollupWithDayStats, RollupWithStats } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatBytes, formatChange, formatCompact, formatInteger, formatPercent, formatTiaShort } from '../format.ts'
import { Bars } from '../parts/bars.tsx'
import { Await, Choice, Panel, Switch } from '../parts/blocks.tsx'
import { Chart, type Line } from '../parts/chart.tsx'
import { Monogram } from '../parts/monogram.tsx'
import { type Column, PagedTable, pageOf, readPage, Table } from '../parts/table.tsx'
import { Ago, Tia } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

const ORDERS = [
  ['size', 'Size'],
  ['blobs_count', 'Blobs'],
  ['fee', 'Fees'],
  ['time', 'Latest'],
] as const

const columns: Column<RollupWithStats>[] = [
  {
    title: 'Rollup',
    cell: ({ name, slug, color, stack }) => (
      <span class="named">
        <Monogram name={name} color={color} />
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

export function RollupsPage({ query }: { query: URLSearchParams }) {
  const page = readPage(query)
  const order = ORDERS.find(([name]) => name === query.get('order'))?.[0] ?? 'size'
  const loaded = useLoad(
    (signal) => api.listRollups({ ...pageOf(page), sort_by: order, sort: 'desc' }, { signal }),
    `${order} ${page}`,
  )
  return (
    <>
      <Title text="Rollups" />
      <Panel
        title="All rollups"
        actions={
          <Choice
            label="Order"
            options={ORDERS.map(([value, name]) => ({
              name,
              href: linkTo(['rollups'], { order: value === 'size' ? undefined : value }),
              isChosen: value === order,
            }))}
          />
        }
      >
        <PagedTable
          caption="Rollups"
          loaded={loaded}
          page={page}
          columns={columns}
          keyOf={({ id }) => id}
          empty="No rollup is listed on this network."
        />
      </Panel>
      <AllSeries />
      <div class="columns">
        <Day />
        <Groups />
      </div>
    </>
  )
}

const VALUES = [
  ['size', 'Size'],
  ['blobs_count', 'Blobs'],
  ['fee', 'Fees'],
] as const
const FORMATS = { size: formatBytes, blobs_count: formatCompact, fee: formatTiaShort }
type Value = keyof typeof FORMATS

function AllSeries() {
  const [value, setValue] = useState<Value>('size')
  const [timeframe, setTimeframe] = useState<'hour' | 'day' | 'month'>('hour')
  const loaded = useLoad((signal) => api.getAllRollupSeries({ timeframe }, { signal }), timeframe)
  return (
    <Panel
      title="Rollups over time"
      actions={
        <>
          <Switch label="Value" value={value} options={VALUES} onChange={setValue} />
          <Switch
            label="Timeframe"
            value={timeframe}
            options={[
              ['hour', 'hour'],
              ['day', 'day'],
              ['month', 'month'],
            ]}
            onChange={setTimeframe}
          />
        </>
      }
    >
      <Await loaded={loaded} rows={5}>
        {(rows) => <AllSeriesChart rows={rows} value={value} timeframe={timeframe} />}
      </Await>
    </Panel>
  )
}

const DRAWN = 6

function AllSeriesChart({ rows, value, timeframe }: { rows: RollupAllSeriesResponse[]; value: Value; timeframe: string }) {
  const lines = useMemo(() => toLines(rows, value), [rows, value])
  return (
    <>
      <Chart title={`Rollups per ${timeframe}`} lines={lines} format={FORMATS[value]} kind="line" height={220} />
      <ul class="legend" aria-label="Lines">
        {lines.map(({ name }, i) => (
          <li key={name}>
            <span class="swatch" style={{ background: `var(--chart-${i + 1})` }} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The largest rollups as lines over the same times. */
function toLines(rows: RollupAllSeriesResponse[], value: Value): Line[] {
  const times = [...rows].sort((a, b) => (a.time < b.time ? -1 : 1))
  const sums = new Map<string, number>()
  for (const { items } of times)
    for (const item of items) sums.set(item.name ?? 'others', (sums.get(item.name ?? 'others') ?? 0) + Number(item[value]))
  const names = [...sums].sort((a, b) => b[1] - a[1]).slice(0, DRAWN)
  return names.map(([name]) => ({
    name,
    points: times.map(({ time, items }) => ({
      at: Math.floor(Date.parse(time) / 1000),
      value: Number(items.find((item) => (item.name ?? 'others') === name)?.[value] ?? 0),
    })),
  }))
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
