import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { csvTable, withoutFormula } from '../../../../src/lib/encoding/csv.ts'
import { formatChange } from '../../format.ts'
import { saveFile } from '../../save-file.ts'
import { useTheme } from '../../theme.ts'
import { Empty } from '../panels.tsx'
import { ChartRange, type Range, sliceLines } from './chart-range.tsx'
import { capOf, type Line, type Measure, measure, nameOf, type Point } from './line.ts'
import type { Plot } from './plot.ts'

export type ChartProps = {
  /** what is drawn, for those who do not see it */
  title: string
  /** all over the same times */
  lines: Line[]
  format: (value: number) => string
  /** what `at` is */
  axis?: 'time' | 'height'
  /** `step`: a level that holds until it changes */
  kind?: 'bars' | 'line' | 'step' | 'stack'
  /** values that differ by orders of magnitude */
  isLog?: boolean
  height?: number
  /** what the head says of the values */
  head?: ChartHead
}

/** `before`: values of the period before. `words`: which period it is. */
export type ChartHead = { by: Measure; before?: Point[]; words: string }

const HEIGHT = 180
const TOOLS = 22
const HEAD = 26

/** Height of a chart with head and tools, in pixels, before there is one. */
export const chartRoom = (height = HEIGHT, hasHead = false): number => height + TOOLS + (hasHead ? HEAD : 0)

/** A chart, or the same numbers as a table. A part of it can be looked at closer, and it can be saved. */
export function Chart(props: ChartProps) {
  const { title, lines, format, axis = 'time' } = props
  const [isTable, setTable] = useState(false)
  const [isRanged, setRanged] = useState(false)
  const [range, setRange] = useState<Range>()
  const plot = useRef<Plot | undefined>(undefined)
  const shown = useMemo(() => sliceLines(lines, range), [lines, range])
  const count = shown[0]?.points.length ?? 0
  if (count === 0)
    return (
      <div style={{ minHeight: `${chartRoom(props.height, props.head !== undefined)}px` }}>
        <Empty>No values in this period.</Empty>
      </div>
    )
  const last = shown[0]!.points.at(-1)!
  const label = `${title}: ${count} ${count === 1 ? 'value' : 'values'}, the last ${format(last.value)} at ${nameOf(last.at, axis)}`
  const file = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const savePicture = async () => {
    const picture = await plot.current?.toPng(title)
    if (picture) saveFile(`${file}.png`, picture)
  }
  const select = (next: Range) => {
    setRange(next)
    setRanged(true)
  }
  return (
    <div class="chart">
      {props.head && <Head {...props} head={props.head} lines={shown} />}
      {isTable ? (
        <Values {...props} lines={shown} />
      ) : (
        <Canvas {...props} lines={shown} label={label} plot={plot} onSelect={select} />
      )}
      {isRanged && <ChartRange title={title} points={lines[0]!.points} axis={axis} range={range} onChange={setRange} />}
      <p class="chart-tools">
        <button
          type="button"
          class="quiet"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
          aria-label={`Table of ${title}`}
        >
          Table
        </button>
        {lines[0]!.points.length > 2 && (
          <button
            type="button"
            class="quiet"
            aria-pressed={isRanged}
            onClick={() => {
              setRanged(!isRanged)
              setRange(undefined)
            }}
            aria-label={`Range of ${title}`}
          >
            Range
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => saveFile(`${file}.csv`, new Blob([csvTable(toRows(shown, axis))], { type: 'text/csv' }))}
          aria-label={`CSV of ${title}`}
        >
          CSV
        </button>
        {!isTable && (
          <button type="button" class="quiet" onClick={savePicture} aria-label={`PNG of ${title}`}>
            PNG
          </button>
        )}
      </p>
    </div>
  )
}

/** The values in one, how they differ from those before, and how high the highest is where the axis ends below it. */
function Head({ lines, format, kind = 'bars', head: { by, before = [], words } }: ChartProps & { head: ChartHead }) {
  const { points } = lines[0]!
  const value = measure(points, by)
  const old = by === 'last' ? (points[0]?.value ?? 0) : measure(before, by)
  const hasOld = (by === 'last' ? points.length > 1 : before.length > 0) && old > 0
  const cap = kind === 'bars' ? capOf(lines) : undefined
  return (
    <p class="chart-head number">
      <strong>{format(value)}</strong>{' '}
      <span class="muted">
        {by === 'mean' ? 'mean ' : ''}
        {words}
        {hasOld && `, ${formatChange(value / old - 1)}`}
        {cap !== undefined && `; highest ${format(Math.max(...points.map((point) => point.value)))}, cut off`}
      </span>
    </p>
  )
}

/** A row for each time, a column for each line, values as they are. */
const toRows = (lines: Line[], axis: 'time' | 'height') =>
  (lines[0]?.points ?? []).map(({ at }, i) => ({
    ...(axis === 'height' ? { height: at } : { time: new Date(at * 1000).toISOString() }),
    ...Object.fromEntries(lines.map(({ name, points }) => [withoutFormula(name), points[i]?.value])),
  }))

type CanvasProps = ChartProps & { label: string; plot: { current: Plot | undefined }; onSelect: (range: Range) => void }

function Canvas({ label, plot, onSelect, ...props }: CanvasProps) {
  const room = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const { lines, axis = 'time', kind = 'bars', isLog = false, height = HEIGHT } = props
  // The library is loaded with the first chart; a new theme means new colours, so the chart is created again.
  useEffect(() => {
    let isOver = false
    import('./plot.ts').then(({ drawPlot }) => {
      if (!isOver && room.current) plot.current = drawPlot(room.current, { ...props, axis, kind, isLog, height, onSelect })
    })
    return () => {
      isOver = true
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [theme, axis, kind, isLog, height, lines.map(({ name }) => name).join(), props.format])
  useEffect(() => plot.current?.update(lines), [lines])
  return <div class="chart-room" ref={room} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />
}

function Values({ title, lines, format, axis = 'time' }: ChartProps) {
  const rows = [...(lines[0]?.points ?? [])].reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="chart-values" aria-label={`Values of ${title}`} tabIndex={0}>
      <table>
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{axis === 'height' ? 'Block' : 'Time'}</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" class="end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at }, i) => (
            <tr key={at}>
              <td>{nameOf(at, axis)}</td>
              {lines.map(({ name, points, format: own }) => (
                <td key={name} class="end number">
                  {(own ?? format)(points[points.length - 1 - i]?.value ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
