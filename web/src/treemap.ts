/** A box in parts of the whole: 0 to 1. */
export type Box<T> = { item: T; left: number; top: number; width: number; height: number }

type Room = { left: number; top: number; width: number; height: number }

/**
 * Boxes whose areas are as the values, as near to squares as can be: rows are filled along the shorter side for as long as that makes
 * their boxes squarer. `ratio` is width by height of the whole.
 */
export function layTreemap<T>(items: readonly T[], sizeOf: (item: T) => number, ratio: number): Box<T>[] {
  const sorted = items.filter((item) => sizeOf(item) > 0).sort((a, b) => sizeOf(b) - sizeOf(a))
  const total = sorted.reduce((sum, item) => sum + sizeOf(item), 0)
  const boxes: Box<T>[] = []
  let room: Room = { left: 0, top: 0, width: ratio, height: 1 }
  let rest = sorted.map((item) => ({ item, area: (sizeOf(item) / total) * ratio }))
  while (rest.length > 0) {
    const side = Math.min(room.width, room.height)
    let count = 1
    while (count < rest.length && worst(rest.slice(0, count + 1), side) <= worst(rest.slice(0, count), side)) count++
    const row = rest.slice(0, count)
    const thickness = areaOf(row) / side
    let along = 0
    for (const { item, area } of row) {
      const length = area / thickness
      boxes.push({
        item,
        ...(room.width >= room.height
          ? { left: room.left / ratio, top: room.top + along, width: thickness / ratio, height: length }
          : { left: (room.left + along) / ratio, top: room.top, width: length / ratio, height: thickness }),
      })
      along += length
    }
    room =
      room.width >= room.height
        ? { ...room, left: room.left + thickness, width: room.width - thickness }
        : { ...room, top: room.top + thickness, height: room.height - thickness }
    rest = rest.slice(count)
  }
  return boxes
}

const areaOf = (row: readonly { area: number }[]) => row.reduce((sum, { area }) => sum + area, 0)

/** How far the least square box of a row is from a square. */
function worst(row: readonly { area: number }[], side: number): number {
  const thickness = areaOf(row) / side
  return Math.max(...row.map(({ area }) => Math.max(thickness ** 2 / area, area / thickness ** 2)))
}
