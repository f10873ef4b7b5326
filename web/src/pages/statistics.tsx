import { useMemo } from 'preact/hooks'
import type { GetSeriesName } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { useLive } from '../live.ts'
import { Await, Choice, Panel } from '../parts/blocks.tsx'
import { Chart } from '../parts/chart.tsx'
import { linkTo } from '../router.ts'
import { pointsOfBlocks, SERIES, startOf, type Timeframe, toPoints } from '../series.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import {
  DayNumbers,
  MessageCounts,
  NamespaceShares,
  PricePanel,
  SizeGroups,
  SquareSizes,
  StakeShares,
} from './statistics-more.tsx'

const TIMEFRAMES = ['block', 'hour', 'day', 'week', 'month', 'year'] as const
type Frame = 'block' | Timeframe

/** A young chain has few hours; its blocks say more. */
const YOUNG = 5000

export function StatisticsPage({ query }: { query: URLSearchParams }) {
  const height = useLive(({ head }) => head?.last_height)
  const isCumulative = query.get('sum') === 'running'
  const asked = TIMEFRAMES.find((name) => name === query.get('per'))
  const fitting: Frame = isCumulative ? 'hour' : (height ?? 0) < YOUNG ? 'block' : 'day'
  const frame = asked === 'block' && isCumulative ? 'hour' : (asked ?? fitting)
  const names = (Object.keys(SERIES) as GetSeriesName[]).filter((name) => {
    const { isCumulative: canSum, ofBlock } = SERIES[name]
    return isCumulative ? canSum : frame !== 'block' || ofBlock
  })
  return (
    <>
      <Title text="Statistics" />
      <DayNumbers />
      <div class="bar-of-choices">
        <Choice
          label="Timeframe"
          options={TIMEFRAMES.filter((name) => !isCumulative || name !== 'block').map((name) => ({
            name: `per ${name}`,
            href: linkTo(['statistics'], { per: name, sum: isCumulative && 'running' }),
            isChosen: name === frame,
          }))}
        />
        <Choice
          label="Kind of sum"
          options={[
            { name: 'each', href: linkTo(['statistics'], { per: asked }), isChosen: !isCumulative },
            {
              name: 'running sum',
              href: linkTo(['statistics'], { per: asked === 'block' ? undefined : asked, sum: 'running' }),
              isChosen: isCumulative,
            },
          ]}
        />
      </div>
      {height !== undefined &&
        (frame === 'block' ? (
          <div class="charts">
            {names.map((name) => (
              <Panel key={name} title={SERIES[name].title}>
                <BlockSeries name={name} />
              </Panel>
            ))}
          </div>
        ) : (
          <AllSeries names={names} frame={frame} isCumulative={isCumulative} />
        ))}
      <div class="columns">
        <MessageCounts />
        <SizeGroups />
        <NamespaceShares />
        <SquareSizes />
        <StakeShares />
        <PricePanel />
      </div>
    </>
  )
}

function BlockSeries({ name }: { name: GetSeriesName }) {
  const blocks = useLive((live) => live.blocks)
  const { title, format, ofBlock } = SERIES[name]
  const lines = useMemo(() => [{ name: title, points: pointsOfBlocks(blocks, ofBlock!) }], [blocks, name])
  return <Chart title={`${title} per block`} lines={lines} format={format} axis="height" />
}

type AllSeriesProps = { names: GetSeriesName[]; frame: Timeframe; isCumulative: boolean }

/** One request for all charts: one by one they would cost more than a visitor may ask for at once. */
function AllSeries({ names, frame, isCumulative }: AllSeriesProps) {
  const now = useLive(({ head }) => head?.last_time)
  const loaded = useLoad(
    (signal) => api.getSeriesTogether({ timeframe: frame, cumulative: isCumulative, from: startOf(frame, now) }, { signal }),
    `${frame} ${isCumulative}`,
  )
  return (
    <div class="charts">
      {names.map((name) => (
        <Panel key={name} title={SERIES[name].title}>
          <Await loaded={loaded} rows={5}>
            {(rows) => <SeriesChart name={name} frame={frame} rows={rows[name] ?? []} isCumulative={isCumulative} />}
          </Await>
        </Panel>
      ))}
    </div>
  )
}

type SeriesChartProps = { name: GetSeriesName; frame: Timeframe; rows: { time: string; value: string }[]; isCumulative: boolean }

function SeriesChart({ name, frame, rows, isCumulative }: SeriesChartProps) {
  const { title, format } = SERIES[name]
  const lines = useMemo(() => [{ name: title, points: toPoints(rows) }], [rows, title])
  return (
    <Chart
      title={isCumulative ? `${title}, running sum` : `${title} per ${frame}`}
      lines={lines}
      format={format}
      kind={isCumulative ? 'line' : 'bars'}
    />
  )
}
