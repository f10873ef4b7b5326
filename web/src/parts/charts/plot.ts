import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { drawPicture } from './chart-picture.ts'
import { capOf, type Line, nameOf } from './line.ts'

export type Plot = {
  update: (lines: Line[]) => void
  /** The picture with its title, on the ground that it has on the page. */
  toPng: (title: string) => Promise<Blob | undefined>
  destroy: () => void
}

type Kind = 'bars' | 'line' | 'step' | 'stack'

type PlotOptions = {
  lines: Line[]
  format: (value: number) => string
  axis: 'time' | 'height'
  kind: Kind
  isLog: boolean
  height: number
  /** a part of the chart was dragged over */
  onSelect: (range: { from: number; to: number }) => void
}

const COLOURS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5', '--chart-6']

const POWERS_OF_TWO = Array.from({ length: 60 }, (_, i) => 2 ** i)

/** All that knows the chart library. */
export function drawPlot(room: HTMLElement, { lines, format, axis, kind, isLog, height, onSelect }: PlotOptions): Plot {
  const style = getComputedStyle(room)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const readout = document.createElement('div')
  readout.className = 'chart-readout'
  const axisLook = {
    stroke: colour('--muted'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const valueAxis = (write: (value: number) => string) => ({
    ...axisLook,
    size: room.clientWidth < NARROW ? 58 : 68,
    space: 32,
    // Steps between lines are round in the unit that is shown.
    ...(!isLog && write(1024).includes('KiB') && { incrs: POWERS_OF_TWO }),
    ...(isLog && { splits: (_self: UPlot, _axis: number, from: number, to: number) => choosePowers(from, to) }),
    values: (_self: UPlot, values: (number | null)[]) => values.map((value) => (value === null ? '' : write(value))),
  })
  const strokeOf = (line: Line, i: number) => line.colour ?? colour(COLOURS[i % COLOURS.length]!)
  let drawn = lines
  // The scale of a line with its own unit is named after it.
  const scaleOf = ({ name, format: own }: Line) => (own ? `own ${name}` : 'y')
  const looseScale = {
    distr: isLog ? 3 : 1,
    ...(!isLog && {
      range: (self: UPlot, from: number, to: number) =>
        frame(from, Math.min(to, (kind === 'bars' && capOf(drawn)) || to), kind === 'line' && self.data[0].length > FEW),
    }),
  } satisfies UPlot.Scale
  const owned = lines.filter(({ format: own }) => own)
  const looks = lines.map((line, i) => ({
    ...seriesLook(line.name, strokeOf(line, i), kind, line.points.length),
    scale: scaleOf(line),
  }))
  const plot = new UPlot(
    {
      width: Math.max(room.clientWidth, 100),
      height,
      padding: [12, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false, dist: 8 }, points: { size: 6 } },
      // Times of the chain are UTC, so is the axis.
      tzDate: (at) => UPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
      scales: {
        x: { time: axis === 'time', range: (self, from, to) => widen(self.data[0] as number[], from, to) },
        y: looseScale,
        ...Object.fromEntries(owned.map((line) => [scaleOf(line), looseScale])),
      },
      axes: [
        {
          ...axisLook,
          space: axis === 'time' ? 76 : 60,
          size: 28,
          ...(axis === 'time' && {
            // Few bars are each named; of many, round times are.
            splits: (self, _axis, _from, _to, step) => chooseSplits(self.data[0] as number[], self.scales.x!, step),
            values: (self, splits) => nameTimes(splits, self.data[0] as number[]),
          }),
        },
        valueAxis(format),
        ...owned.map((line) => ({
          ...valueAxis(line.format!),
          scale: scaleOf(line),
          side: 1,
          grid: { show: false },
        })),
      ],
      // The whole of a stack lies behind its parts.
      series: [{}, ...(kind === 'stack' ? looks.reverse() : looks)],
      hooks: {
        setCursor: [
          (self) => {
            const at = self.cursor.idx
            const x = at === null || at === undefined ? undefined : self.data[0][at]
            readout.textContent = x === undefined ? '' : describe(at!, x)
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width === 0) return
            const times = (self.data[0] as number[]).filter(
              (at) => at >= self.posToVal(left, 'x') && at <= self.posToVal(left + width, 'x'),
            )
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            if (times.length > 1) onSelect({ from: times[0]!, to: times.at(-1)! })
          },
        ],
      },
    },
    toColumns(lines, { kind, isLog }),
    room,
  )
  room.append(readout)

  function describe(index: number, at: number): string {
    const values = drawn.map(({ name, points, format: own }) => {
      const value = points[index]?.value
      const text = value === undefined ? '–' : (own ?? format)(value)
      return drawn.length > 1 ? `${name} ${text}` : text
    })
    return `${nameOf(at, axis)} · ${values.join(' · ')}`
  }

  const observer = new ResizeObserver(() => {
    if (room.clientWidth > 0) plot.setSize({ width: room.clientWidth, height })
  })
  observer.observe(room)
  return {
    update: (next) => {
      drawn = next
      plot.setData(toColumns(next, { kind, isLog }))
    },
    toPng: (title) =>
      drawPicture(plot.ctx.canvas, title, {
        ground: colour('--surface'),
        text: colour('--text'),
        font: style.fontFamily,
        legend: drawn.length > 1 ? drawn.map((line, i) => [line.name, strokeOf(line, i)]) : [],
      }),
    destroy: () => {
      observer.disconnect()
      plot.destroy()
      readout.remove()
    },
  }
}

/** Width of a phone, in pixels. */
const NARROW = 420
const FEW = 6
const HOUR = 3600
const DAY = 24 * HOUR
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

const MOST_POWERS = 5

/** Powers of ten, so few that their names have room. */
function choosePowers(from: number, to: number): number[] {
  const first = Math.ceil(Math.log10(from))
  const count = Math.max(0, Math.floor(Math.log10(to)) - first + 1)
  const step = Math.ceil(count / MOST_POWERS)
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => 10 ** (first + i * step))
}

function chooseSplits(times: number[], { min = 0, max = 0 }: UPlot.Scale, step: number): number[] {
  if (times.length <= FEW) return times
  const first = Math.ceil((min ?? 0) / step) * step
  return Array.from({ length: Math.max(0, Math.floor(((max ?? 0) - first) / step) + 1) }, (_, i) => first + i * step)
}

/** Hours where they differ, days at their start, months where days do not matter. */
function nameTimes(splits: number[], times: number[]): string[] {
  const step = (splits[1] ?? 0) - (splits[0] ?? 0)
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return splits.map((at) => {
    const moment = new Date(at * 1000)
    if (splits.length === 1) return at % DAY === 0 ? day.format(moment) : `${day.format(moment)} ${clock.format(moment)}`
    if (span > 400 * DAY || step > 27 * DAY) return month.format(moment)
    return step < DAY && at % DAY !== 0 ? clock.format(moment) : day.format(moment)
  })
}

function seriesLook(label: string, stroke: string, kind: Kind, count: number): UPlot.Series {
  if (kind === 'stack') return { label, stroke, fill: stroke, width: 1, points: { show: false } }
  // A line needs two points; less are shown as dots.
  if (kind === 'step')
    return {
      label,
      stroke,
      width: 2,
      paths: UPlot.paths.stepped!({ align: 1 }),
      points: { show: count < 3, size: 10, fill: stroke },
    }
  if (kind === 'line') return { label, stroke, width: 2, points: { size: count < 3 ? 10 : 5, fill: stroke }, spanGaps: true }
  return {
    label,
    stroke,
    fill: stroke,
    width: 0,
    points: { show: false },
    paths: UPlot.paths.bars!({ size: [0.75, 36], radius: 0.12 }),
  }
}

/** All lines have the same times: those of the first one. Stacked, each stands on those before it; the whole comes first. */
function toColumns(lines: Line[], { kind, isLog }: { kind: Kind; isLog: boolean }): UPlot.AlignedData {
  const times = lines[0]?.points.map(({ at }) => at) ?? []
  // A logarithmic axis has no place for nothing.
  const values = lines.map(({ points }) => points.map(({ value }) => (isLog && value <= 0 ? null : value)))
  if (kind !== 'stack') return [times, ...values] as UPlot.AlignedData
  let below = times.map(() => 0)
  const stacked = values.map((column) => {
    below = below.map((sum, i) => sum + (column[i] ?? 0))
    return below
  })
  return [times, ...stacked.reverse()] as UPlot.AlignedData
}

/** Half a bar of room at both ends; one value alone stands in the middle. */
function widen(times: number[], from: number, to: number): [number, number] {
  const [first, second] = times
  if (first === undefined) return [from, to]
  const last = times.at(-1)!
  const step = second === undefined ? 1800 : (last - first) / (times.length - 1)
  return [first - step * 0.6, last + step * 0.6]
}

/** Bars stand on zero; a line of many values shows how they differ. */
function frame(from: number, to: number, isLoose: boolean): [number, number] {
  const room = (to - from) * 0.15
  if (isLoose && from - room > 0 && room > 0) return [from - room, to + room]
  const low = Math.min(0, from)
  const high = Math.max(0, to)
  return low === 0 && high === 0 ? [0, 1] : [low * 1.05, high * 1.08]
}
