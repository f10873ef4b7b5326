import { useMemo, useState } from 'preact/hooks'
import type { RollupAllSeriesResponse } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { alignPeriod, type Period, periodKey } from '../../figures/period.ts'
import { formatBytes, formatCompact, formatPercent, formatTiaShort } from '../../format.ts'
import { rollupColour } from '../../namespace.ts'
import { Chart } from '../../parts/charts/chart.tsx'
import { Legend } from '../../parts/charts/legend.tsx'
import type { Line } from '../../parts/charts/line.ts'
import { Await, Panel, Switch } from '../../parts/panels.tsx'
import { RangeChoice } from '../../parts/range-choice.tsx'
import { usePeriod } from '../../period.ts'
import type { Timeframe } from '../../series.ts'
import { useLoad } from '../../use-load.ts'

type Item = RollupAllSeriesResponse['items'][number]
type Sum = { size: number; blobs_count: number; fee: number }

const MIB = 2 ** 20

/** Value of one rollup in one bucket; `all` is that of all rollups. */
const VALUES = {
  share: { name: 'Market share', of: ({ size }: Sum, all: Sum) => (all.size > 0 ? size / all.size : 0), format: formatPercent },
  size: { name: 'Size', of: ({ size }: Sum) => size, format: formatBytes },
  blobs_count: { name: 'Blobs', of: ({ blobs_count }: Sum) => blobs_count, format: formatCompact },
  fee: { name: 'Fees', of: ({ fee }: Sum) => fee, format: formatTiaShort },
  price: {
    name: 'Fee per MiB',
    of: ({ size, fee }: Sum) => (size > 0 ? (fee / size) * MIB : 0),
    format: formatTiaShort,
  },
}
type Value = keyof typeof VALUES

/** The API has the last day by hours, the last month by days and the last year by months. */
const timeframeOf = (days: number) => (days < 2 ? 'hour' : days < 32 ? 'day' : 'month')

/** All rollups over the range of the page: who holds how much of the market, and at which price. */
export function RollupSeries() {
  const [value, setValue] = useState<Value>('share')
  const period = usePeriod()
  const timeframe = timeframeOf(period?.days ?? 0)
  const loaded = useLoad(
    (signal) => (period ? api.getAllRollupSeries({ timeframe }, { signal }) : new Promise<never>(() => {})),
    `${timeframe} ${period !== undefined}`,
  )
  return (
    <Panel
      title="Rollups over time"
      actions={
        <>
          <Switch
            label="Value"
            value={value}
            options={(Object.keys(VALUES) as Value[]).map((name) => [name, VALUES[name].name] as const)}
            onChange={setValue}
          />
          <RangeChoice />
        </>
      }
    >
      <Await loaded={loaded} rows={5}>
        {(rows) => <SeriesChart rows={rows} period={period!} value={value} timeframe={timeframe} />}
      </Await>
    </Panel>
  )
}

const isWithin =
  ({ from = 0, to = Number.POSITIVE_INFINITY }: Period) =>
  ({ time }: RollupAllSeriesResponse): boolean => {
    const at = Date.parse(time) / 1000
    return at >= from && at < to
  }

const DRAWN = 6
const OTHERS = 'others'

type ChartProps = { rows: RollupAllSeriesResponse[]; period: Period; value: Value; timeframe: Timeframe }

function SeriesChart({ rows, period, value, timeframe }: ChartProps) {
  const lines = useMemo(
    () => toLines(rows.filter(isWithin(alignPeriod(period, timeframe))), value),
    [rows, value, periodKey(period)],
  )
  const { name, format } = VALUES[value]
  return (
    <>
      <Chart
        title={`${name} of rollups per ${timeframe}`}
        lines={lines}
        format={format}
        kind={value === 'price' ? 'line' : 'stack'}
        height={220}
      />
      <Legend lines={lines} />
    </>
  )
}

/** The largest rollups as lines over the same times; the last line is what all others have together. */
function toLines(rows: RollupAllSeriesResponse[], value: Value): Line[] {
  const times = [...rows].sort((a, b) => (a.time < b.time ? -1 : 1))
  const sizes = new Map<string, number>()
  for (const { items } of times) for (const item of items) sizes.set(nameOf(item), (sizes.get(nameOf(item)) ?? 0) + item.size)
  const largest = [...sizes].sort((a, b) => b[1] - a[1]).map(([name]) => name)
  const names = largest.length > DRAWN ? [...largest.slice(0, DRAWN - 1), OTHERS] : largest
  const lineOf = (item: Item) => (names.includes(nameOf(item)) ? nameOf(item) : OTHERS)
  return names.map((name) => ({
    name,
    ...(name !== OTHERS && { colour: rollupColour(name) }),
    points: times.map(({ time, items }) => ({
      at: Math.floor(Date.parse(time) / 1000),
      value: VALUES[value].of(sumOf(items.filter((item) => lineOf(item) === name)), sumOf(items)),
    })),
  }))
}

const nameOf = ({ name }: Item) => name ?? OTHERS

const sumOf = (items: readonly Item[]): Sum => ({
  size: items.reduce((sum, { size }) => sum + size, 0),
  blobs_count: items.reduce((sum, { blobs_count }) => sum + blobs_count, 0),
  fee: items.reduce((sum, { fee }) => sum + Number(fee), 0),
})
