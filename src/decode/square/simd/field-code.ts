import {
  add,
  and,
  bytes16,
  type Code,
  int,
  isPositive,
  join,
  type KernelFunction,
  type Local,
  load,
  lookUp,
  repeat,
  shiftRight16,
  store,
  subtract,
  xor,
} from './assembler.ts'

/**
 * Products with one factor by tables of 16 bytes: a product of a sum is the sum of the products, so that of an element is found by
 * its halves of 4 bits. Bytes of an element of 16 bits lie `HIGH_BYTES` apart.
 */
const VECTOR = 16
const HIGH_BYTES = 32

type Vectors = readonly Local[]

const LOW_BITS = bytes16(Array(VECTOR).fill(15))
const lowHalf = (vector: Local) => and(vector.get, LOW_BITS)
const highHalf = (vector: Local) => and(shiftRight16(vector.get, 4), LOW_BITS)

/** Byte `row` of the product: of every byte of the element, a table for either half. */
function product(value: Vectors, tables: Vectors, row: number): Code {
  return value
    .flatMap((vector, column) => {
      const table = 2 * (value.length * row + column)
      return [lookUp(tables[table]!.get, lowHalf(vector)), lookUp(tables[table + 1]!.get, highHalf(vector))]
    })
    .reduce((sum, part) => xor(sum, part))
}

/** (low, high, size, tables): `size` bytes of each, a multiple of 16 or, of 16-bit elements, of 64. */
function butterfly(name: string, width: 1 | 2, isInverse: boolean): KernelFunction {
  return {
    name,
    params: 4,
    body: (allocate, [low, high, size, tablesAt]) => {
      const tables = Array.from({ length: 2 * width * width }, () => allocate('v128'))
      const lows = Array.from({ length: width }, () => allocate('v128'))
      const highs = Array.from({ length: width }, () => allocate('v128'))
      const step = (offset: number): Code => {
        const at = (row: number) => offset + HIGH_BYTES * row
        const read = join(
          ...lows.map((vector, row) => vector.set(load(low!.get, at(row)))),
          ...highs.map((vector, row) => vector.set(load(high!.get, at(row)))),
        )
        const multiplied = lows.map((vector, row) => vector.set(xor(vector.get, product(highs, tables, row))))
        const added = highs.map((vector, row) => vector.set(xor(vector.get, lows[row]!.get)))
        return join(
          read,
          ...(isInverse ? [...added, ...multiplied] : [...multiplied, ...added]),
          ...lows.map((vector, row) => store(low!.get, vector.get, at(row))),
          ...highs.map((vector, row) => store(high!.get, vector.get, at(row))),
        )
      }
      const offsets = width === 1 ? [0] : [0, VECTOR]
      const bytes = VECTOR * offsets.length * width
      return join(
        ...tables.map((table, i) => table.set(load(tablesAt!.get, VECTOR * i))),
        repeat(
          join(
            ...offsets.map(step),
            low!.set(add(low!.get, int(bytes))),
            high!.set(add(high!.get, int(bytes))),
            size!.set(subtract(size!.get, int(bytes))),
          ),
          isPositive(size!.get),
        ),
      )
    },
  }
}

/** `mix`: (low, high) -> (low + factor x high, that + high); `unmix` is its inverse. */
export const fieldFunctions = [
  butterfly('mixBytes', 1, false),
  butterfly('unmixBytes', 1, true),
  butterfly('mixPairs', 2, false),
  butterfly('unmixPairs', 2, true),
]
