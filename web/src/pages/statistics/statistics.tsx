import { useMemo } from 'preact/hooks'
import type { Block, GetSeriesName } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { fittingTimeframe, useChainDays } from '../../chain-age.ts'
import { useLive } from '../../live.ts'
import { Chart, chartRoom } from '../../parts/charts/chart.tsx'
import { Await, Choice, Panel } from '../../parts/panels.tsx'
import { linkTo } from '../../router.ts'
import { pointsOfBlocks, SERIES, type SeriesPoints, startOf, type Timeframe, toPoints } from '../../series.ts'
import { Title } from '../../shell/title.tsx'
import { type Loaded, useLoad } from '../../use-load.ts'
import { Comparison, FeePerMib, Throughput } from './compared.tsx'
import { DayNumbers, MessageCounts, NamespaceShares, PricePanel, SizeGroups, SquareSizes, StakeShares } from './last-day.tsx'

const TIMEFRAMES = ['hour', 'day', 'week', 'month', 'year'] as const
type Frame = 'block' | Timeframe

/** A younger chain has few hours; its blocks say more. */
const YOUNG_DAYS = 1

export function StatisticsPage({ query }: { query: URLSearchParams }) {
  const days = useChainDays()
  const isCumulative = query.get('sum') === 'running'
  const frames: readonly Frame[] = isCumulative ? TIMEFRAMES : ['block', ...TIMEFRAMES]
  const asked = frames.find((name) => name === query.get('per'))
  const fitting: Frame = (days ?? 0) < YOUNG_DAYS && !isCumulative ? 'block' : fittingTimeframe(days ?? 0, TIMEFRAMES)
  const frame = asked ?? fitting
  return (
    <>
      <Title text="Statistics" />
      <DayNumbers />
      <div class="bar-of-choices">
        <Choice
          label="Timeframe"
          options={frames.map((name) => ({
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
      {days === undefined ? (
        <Charts frame={frame} loaded={{ state: 'loading' }} isCumulative={isCumulative} />
      ) : frame === 'block' ? (
        <BlockCharts />
      ) : (
        <BucketCharts frame={frame} isCumulative={isCumulative} />
      )}
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

function BlockCharts() {
  const blocks = useLive((live) => live.blocks)
  const points = useMemo(() => ofBlocks(blocks), [blocks])
  return <Charts frame="block" loaded={{ state: 'ready', value: points }} />
}

const ofBlocks = (blocks: readonly Block[]): SeriesPoints =>
  Object.fromEntries(
    Object.entries(SERIES).flatMap(([name, { ofBlock }]) => (ofBlock ? [[name, pointsOfBlocks(blocks, ofBlock)]] : [])),
  )

type BucketProps = { frame: Timeframe; isCumulative: boolean }

/** One request for all charts: one by one they would cost more than a visitor may ask for at once. */
function BucketCharts({ frame, isCumulative }: BucketProps) {
  const now = useLive(({ head }) => head?.last_time)
  const loaded = useLoad(async (signal) => {
    const from = startOf(frame, now)
    const rows = await api.getSeriesTogether({ timeframe: frame, cumulative: isCumulative, from }, { signal })
    return Object.fromEntries(Object.entries(rows).map(([name, series]) => [name, toPoints(series)])) as SeriesPoints
  }, `${frame} ${isCumulative}`)
  return <Charts frame={frame} loaded={loaded} isCumulative={isCumulative} />
}

type ChartsProps = { frame: Frame; loaded: Loaded<SeriesPoints>; isCumulative?: boolean }

function Charts({ frame, loaded, isCumulative = false }: ChartsProps) {
  const names = (Object.keys(SERIES) as GetSeriesName[]).filter((name) => {
    const { isCumulative: canSum, ofBlock } = SERIES[name]
    return isCumulative ? canSum : frame !== 'block' || ofBlock
  })
  const axis = frame === 'block' ? 'height' : 'time'
  const titleOf = (name: string) => (isCumulative ? `${name}, running sum` : `${name} per ${frame}`)
  return (
    <>
      {!isCumulative && (
        <div class="columns">
          <Throughput loaded={loaded} frame={frame} axis={axis} />
          <FeePerMib loaded={loaded} frame={frame} axis={axis} />
        </div>
      )}
      <Comparison loaded={loaded} names={names} titleOf={titleOf} axis={axis} />
      <div class="charts">
        {names.map((name) => (
          <Panel key={name} title={SERIES[name].title}>
            <Await loaded={loaded} height={chartRoom()}>
              {(points) => (
                <Chart
                  title={titleOf(SERIES[name].title)}
                  lines={[{ name: SERIES[name].title, points: points[name] ?? [] }]}
                  format={SERIES[name].format}
                  axis={axis}
                  kind={isCumulative ? 'line' : 'bars'}
                />
              )}
            </Await>
          </Panel>
        ))}
      </div>
    </>
  )
}
