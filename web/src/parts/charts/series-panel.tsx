import { useMemo, useState } from 'preact/hooks'
import { alignPeriod, fittingTimeframe, type Period, periodKey, splitPoints, withBefore } from '../../figures/period.ts'
import { usePeriod } from '../../period.ts'
import { type Timeframe, toPoints } from '../../series.ts'
import { useLoad } from '../../use-load.ts'
import { Await, Panel, Switch } from '../panels.tsx'
import { RangeChoice } from '../range-choice.tsx'
import { Chart, chartRoom } from './chart.tsx'
import type { Measure } from './line.ts'

type Row = { time: string; value: string }
type Span = { from?: number; to?: number }
type Named<N> = readonly [name: N, label: string, format: (value: number) => string, by?: Measure]

export type SeriesPanelProps<N extends string, F extends Timeframe> = {
  title: string
  names: readonly Named<N>[]
  timeframes: readonly F[]
  /** those that are levels, not sums of a bucket */
  levels?: readonly N[]
  load: (name: N, timeframe: F, span: Span, signal: AbortSignal) => Promise<Row[]>
  /** false where the range is chosen elsewhere on the page */
  hasRange?: boolean
}

/** A chart over the range of the page with a switch for what it shows. Its buckets are as wide as the range needs. */
export function SeriesPanel<N extends string, F extends Timeframe>({
  title,
  names,
  timeframes,
  levels = [],
  load,
  hasRange = true,
}: SeriesPanelProps<N, F>) {
  const [name, setName] = useState<N>(names[0]![0])
  const range = usePeriod()
  const timeframe = fittingTimeframe(range?.days ?? 0, timeframes)
  const period = range && alignPeriod(range, timeframe)
  const loaded = useLoad(
    // Not before the age of the chain is known, or that there is none.
    (signal) => (period ? load(name, timeframe, withBefore(period), signal) : new Promise<never>(() => {})),
    `${name} ${timeframe} ${period && periodKey(period)}`,
  )
  const chosen = names.find(([value]) => value === name)!
  return (
    <Panel
      title={title}
      actions={
        <>
          {names.length > 1 && (
            <Switch
              label={`Value of ${title}`}
              value={name}
              options={names.map(([value, text]) => [value, text])}
              onChange={setName}
            />
          )}
          {hasRange && <RangeChoice />}
        </>
      }
    >
      <Await loaded={period ? loaded : { state: 'loading' }} height={chartRoom(undefined, true)}>
        {(rows) => (
          <Series
            title={`${title}: ${chosen[1]} per ${timeframe}`}
            named={chosen}
            rows={rows}
            period={period!}
            kind={levels.includes(name) ? 'step' : 'bars'}
          />
        )}
      </Await>
    </Panel>
  )
}

type SeriesProps = { title: string; named: Named<string>; rows: Row[]; period: Period; kind: 'bars' | 'step' }

function Series({ title, named: [, label, format, by = 'sum'], rows, period, kind }: SeriesProps) {
  const { points, before } = useMemo(() => splitPoints(toPoints(rows), period), [rows])
  const lines = useMemo(() => [{ name: label, points }], [points, label])
  return <Chart title={title} lines={lines} format={format} kind={kind} head={{ by, before, words: period.words }} />
}
