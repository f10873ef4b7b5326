import { type Line, nameOf, type Point } from './line.ts'

/** The first and the last time that are shown. */
export type Range = { from: number; to: number }

export function sliceLines(lines: Line[], range: Range | undefined): Line[] {
  if (!range) return lines
  const isShown = ({ at }: Point) => at >= range.from && at <= range.to
  return lines.map((line) => ({ ...line, points: line.points.filter(isShown) }))
}

type ChartRangeProps = {
  title: string
  /** of the whole chart */
  points: Point[]
  axis: 'time' | 'height'
  range: Range | undefined
  onChange: (range: Range | undefined) => void
}

/** A brush of two sliders, for fingers and keyboards; a mouse may also drag over the chart. */
export function ChartRange({ title, points, axis, range, onChange }: ChartRangeProps) {
  const end = points.length - 1
  const first = range ? Math.max(0, indexFrom(points, range.from)) : 0
  const last = range ? indexTo(points, range.to) : end
  const choose = (from: number, to: number) =>
    onChange(from === 0 && to === end ? undefined : { from: points[from]!.at, to: points[to]!.at })
  const slider = (name: string, value: number, onInput: (index: number) => void) => (
    <label>
      <span>{name}</span>
      <input
        type="range"
        min={0}
        max={end}
        value={value}
        aria-label={`${name} of ${title}`}
        aria-valuetext={nameOf(points[value]!.at, axis)}
        onInput={(event) => onInput(Number(event.currentTarget.value))}
      />
      <span class="muted number">{nameOf(points[value]!.at, axis)}</span>
    </label>
  )
  return (
    <div class="chart-range">
      {slider('From', first, (index) => choose(Math.min(index, last - 1), last))}
      {slider('To', last, (index) => choose(first, Math.max(index, first + 1)))}
      {range && (
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          Whole range
        </button>
      )}
    </div>
  )
}

/** Blocks that left a live chart shorten the range at its start. */
const indexFrom = (points: Point[], at: number) => points.findIndex((point) => point.at >= at)
const indexTo = (points: Point[], at: number) =>
  Math.max(
    1,
    points.findLastIndex((point) => point.at <= at),
  )
