import { useMemo, useState } from 'preact/hooks'
import { fittingTimeframe, useChainDays } from '../../chain-age.ts'
import { useLive } from '../../live.ts'
import { startOf, type Timeframe, toPoints } from '../../series.ts'
import { useLoad } from '../../use-load.ts'
import { Await, Panel, Switch } from '../panels.tsx'
import { Chart } from './chart.tsx'

type Row = { time: string; value: string }

export type SeriesPanelProps<N extends string, F extends Timeframe> = {
  title: string
  names: readonly (readonly [N, string, (value: number) => string])[]
  timeframes: readonly F[]
  /** those that are levels, not sums of a bucket */
  levels?: readonly N[]
  load: (name: N, timeframe: F, from: number | undefined, signal: AbortSignal) => Promise<Row[]>
}

/** A chart with a switch for what it shows and one for how wide its bars are in time. A young chain begins with narrow ones. */
export function SeriesPanel<N extends string, F extends Timeframe>({
  title,
  names,
  timeframes,
  levels = [],
  load,
}: SeriesPanelProps<N, F>) {
  const [name, setName] = useState<N>(names[0]![0])
  const [chosen, setChosen] = useState<F>()
  const days = useChainDays()
  const timeframe = chosen ?? fittingTimeframe(days ?? 0, timeframes)
  const now = useLive(({ head }) => head?.last_time)
  const isReady = days !== undefined
  const loaded = useLoad(
    // Not before the age of the chain is known, or that there is none.
    (signal) => (isReady ? load(name, timeframe, startOf(timeframe, now), signal) : new Promise<never>(() => {})),
    `${name} ${timeframe} ${isReady}`,
  )
  const [, label, format] = names.find(([value]) => value === name)!
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
          <Switch
            label={`Timeframe of ${title}`}
            value={timeframe}
            options={timeframes.map((value) => [value, value] as const)}
            onChange={setChosen}
          />
        </>
      }
    >
      <Await loaded={loaded} rows={5}>
        {(rows) => (
          <Series
            title={`${title}: ${label} per ${timeframe}`}
            label={label}
            rows={rows}
            format={format}
            kind={levels.includes(name) ? 'step' : 'bars'}
          />
        )}
      </Await>
    </Panel>
  )
}

type SeriesProps = {
  title: string
  label: string
  rows: Row[]
  format: (value: number) => string
  kind: 'bars' | 'step'
}

function Series({ title, label, rows, format, kind }: SeriesProps) {
  const lines = useMemo(() => [{ name: label, points: toPoints(rows) }], [rows, label])
  return <Chart title={title} lines={lines} format={format} kind={kind} />
}
