import { formatMoment } from '../../format.ts'

/** `at`: unix seconds, or a height. */
export type Point = { at: number; value: number }
/** `format`: the line has a unit, and so an axis, of its own. `colour`: of what it stands for; without it that of its place. */
export type Line = { name: string; points: Point[]; format?: (value: number) => string; colour?: string }

export const nameOf = (at: number, axis: 'time' | 'height') =>
  axis === 'height' ? `block ${at.toLocaleString('en')}` : formatMoment(new Date(at * 1000).toISOString())

/** How the values of a period become one: those of flows add up, rates have a mean, of what is there the last counts. */
export type Measure = 'sum' | 'mean' | 'last'

export function measure(points: readonly Point[], by: Measure): number {
  if (by === 'last') return points.at(-1)?.value ?? 0
  const sum = points.reduce((total, { value }) => total + value, 0)
  return by === 'sum' ? sum : sum / Math.max(1, points.length)
}

/** A value this many times the usual ones would leave nothing of them to see. */
const OUTLYING = 8
const USUAL = 0.9

/** Where the axis ends when few values hide the others; undefined when all have room. */
export function capOf(lines: readonly Line[]): number | undefined {
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value)).sort((a, b) => a - b)
  const usual = values[Math.floor(USUAL * (values.length - 1))] ?? 0
  if (values.length < 4 || usual <= 0 || values.at(-1)! <= OUTLYING * usual) return undefined
  return 1.25 * Math.max(...values.filter((value) => value <= OUTLYING * usual))
}
