import { useMemo } from 'preact/hooks'
import type { Block, GetSeriesName } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { useChainDays } from '../../chain-age.ts'
import { alignPeriod, fittingTimeframe, type Period, periodKey, splitPoints, withBefore } from '../../figures/period.ts'
import { useLive } from '../../live.ts'
import { Chart, chartRoom } from '../../parts/charts/chart.tsx'
import { Await, Choice, Panel } from '../../parts/panels.tsx'
import { RangeChoice } from '../../parts/range-choice.tsx'
import { usePeriod } from '../../period.ts'
import { linkHere } from '../../router.ts'
import { pointsOfBlocks, SERIES, type SeriesPoints, type Timeframe, toPoints } from '../../series.ts'
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
  const period = usePeriod()
  const fitting: Frame = (days ?? 0) < YOUNG_DAYS && !isCumulative ? 'block' : fittingTimeframe(period?.days ?? 0, TIMEFRAMES)
  const frame = asked ?? fitting
  return (
    <>
      <Title text="Statistics" />
      <DayNumbers />
      <div class="bar-of-choices">
        <RangeChoice />
        <Choice
          label="Timeframe"
          options={frames.map((name) => ({
            name: `per ${name}`,
            href: linkHere({ per: name }),
            isChosen: name === frame,
          }))}
        />
        <Choice
          label="Kind of sum"
          options={[
            { name: 'each', href: linkHere({ sum: undefined }), isChosen: !isCumulative },
            {
              name: 'running sum',
              href: linkHere({ per: asked === 'block' ? undefined : asked, sum: 'running' }),
              isChosen: isCumulative,
            },
          ]}
        />
      </div>
      {period === undefined ? (
        <Charts frame={frame} loaded={{ state: 'loading' }} isCumulative={isCumulative} />
      ) : frame === 'block' ? (
        <BlockCharts />
      ) : (
        <BucketCharts frame={frame} isCumulative={isCumulative} period={alignPeriod(period, frame)} />
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

type BucketProps = { frame: Timeframe; isCumulative: boolean; period: Period }

/** One request for all charts: one by one they would cost more than a visitor may ask for at once. */
function BucketCharts({ frame, isCumulative, period }: BucketProps) {
  const loaded = useLoad(
    async (signal) => {
      const rows = await api.getSeriesTogether({ timeframe: frame, cumulative: isCumulative, ...withBefore(period) }, { signal })
      const split = Object.entries(rows).map(([name, series]) => [name, splitPoints(toPoints(series), period)] as const)
      return {
        points: Object.fromEntries(split.map(([name, { points }]) => [name, points])) as SeriesPoints,
        before: Object.fromEntries(split.map(([name, { before }]) => [name, before])) as SeriesPoints,
      }
    },
    `${frame} ${isCumulative} ${periodKey(period)}`,
  )
  const before = loaded.state === 'ready' ? loaded.value.before : {}
  const points = loaded.state === 'ready' ? { ...loaded, value: loaded.value.points } : loaded
  return <Charts frame={frame} loaded={points} before={before} words={period.words} isCumulative={isCumulative} />
}

type ChartsProps = {
  frame: Frame
  loaded: Loaded<SeriesPoints>
  before?: SeriesPoints
  /** which period it is */
  words?: string
  isCumulative?: boolean
}

function Charts({ frame, loaded, before = {}, words = 'of the last blocks', isCumulative = false }: ChartsProps) {
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
            <Await loaded={loaded} height={chartRoom(undefined, true)}>
              {(points) => (
                <Chart
                  title={titleOf(SERIES[name].title)}
                  lines={[{ name: SERIES[name].title, points: points[name] ?? [] }]}
                  format={SERIES[name].format}
                  axis={axis}
                  kind={isCumulative ? 'line' : 'bars'}
                  head={{ by: isCumulative ? 'last' : SERIES[name].measure, before: before[name] ?? [], words }}
                />
              )}
            </Await>
          </Panel>
        ))}
      </div>
    </>
  )
}
