import { formatMoment } from '../../format.ts'

/** `at`: unix seconds, or a height. */
export type Point = { at: number; value: number }
/** `format`: the line has a unit, and so an axis, of its own. */
export type Line = { name: string; points: Point[]; format?: (value: number) => string }

export const nameOf = (at: number, axis: 'time' | 'height') =>
  axis === 'height' ? `block ${at.toLocaleString('en')}` : formatMoment(new Date(at * 1000).toISOString())
