import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { type Line, nameOf } from './chart.tsx'

export type Plot = { update: (lines: Line[]) => void; destroy: () => void }

type PlotOptions = {
  lines: Line[]
  format: (value: number) => string
  axis: 'time' | 'height'
  kind: 'bars' | 'line'
  height: number
}

const COLOURS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5', '--chart-6']

const POWERS_OF_TWO = Array.from({ length: 60 }, (_, i) => 2 ** i)

/** All that knows the chart library. */
export function drawPlot(room: HTMLElement, { lines, format, axis, kind, height }: PlotOptions): Plot {
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
  const plot = new UPlot(
    {
      width: Math.max(room.clientWidth, 100),
      height,
      padding: [12, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      // Times of the chain are UTC, so is the axis.
      tzDate: (at) => UPlot.tzDate(new Date(at * 1000), 'Etc/UTC'),
      scales: {
        x: { time: axis === 'time', range: (self, from, to) => widen(self.data[0] as number[], from, to) },
        y: { range: (self, from, to) => frame(from, to, kind === 'line' && self.data[0].length > FEW) },
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
        {
          ...axisLook,
          size: 68,
          space: 32,
          // Steps between lines are round in the unit that is shown.
          ...(format(1024).includes('KiB') && { incrs: POWERS_OF_TWO }),
          values: (_self, values) => values.map((value) => (value === null ? '' : format(value))),
        },
      ],
      series: [
        {},
        ...lines.map(({ name }, i) => seriesLook(name, colour(COLOURS[i % COLOURS.length]!), kind, lines[0]!.points.length)),
      ],
      hooks: {
        setCursor: [
          (self) => {
            const at = self.cursor.idx
            const x = at === null || at === undefined ? undefined : self.data[0][at]
            readout.textContent = x === undefined ? '' : describe(self, at!, x)
          },
        ],
      },
    },
    toColumns(lines),
    room,
  )
  room.append(readout)

  function describe(self: UPlot, index: number, at: number): string {
    const values = lines.map(({ name }, i) => {
      const value = self.data[i + 1]?.[index]
      const text = typeof value === 'number' ? format(value) : '–'
      return lines.length > 1 ? `${name} ${text}` : text
    })
    return `${nameOf(at, axis)} · ${values.join(' · ')}`
  }

  const observer = new ResizeObserver(() => {
    if (room.clientWidth > 0) plot.setSize({ width: room.clientWidth, height })
  })
  observer.observe(room)
  return {
    update: (next) => plot.setData(toColumns(next)),
    destroy: () => {
      observer.disconnect()
      plot.destroy()
      readout.remove()
    },
  }
}

const FEW = 6
const HOUR = 3600
const DAY = 24 * HOUR
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

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

function seriesLook(label: string, stroke: string, kind: 'bars' | 'line', count: number): UPlot.Series {
  // A line needs two points; less are shown as dots.
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

/** All lines have the same times: those of the first one. */
function toColumns(lines: Line[]): UPlot.AlignedData {
  const times = lines[0]?.points.map(({ at }) => at) ?? []
  return [times, ...lines.map(({ points }) => points.map(({ value }) => value))] as UPlot.AlignedData
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
