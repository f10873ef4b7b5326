/** Positions inside a block take 24 bits: ids stay exact as JS numbers below height 2^29. */
const POSITIONS = 2 ** 24

/** Id of position 0 at a height. The genesis pseudo-block counts from 1, so that no id is 0. */
export function firstId(height: number): number {
  return height === 0 ? 1 : height * POSITIONS
}

/** Part of an id that differs within its height. */
export function positionInHeight(id: number): number {
  return id % POSITIONS
}

export function heightOf(id: number): number {
  return Math.floor(id / POSITIONS)
}

export function positionOf(id: number): number {
  const position = id % POSITIONS
  return heightOf(id) === 0 ? position - 1 : position
}
