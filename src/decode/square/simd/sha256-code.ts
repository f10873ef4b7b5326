import {
  type Allocate,
  add,
  add32,
  and,
  bytes16,
  type Code,
  call,
  int,
  isPositive,
  join,
  type KernelFunction,
  type Local,
  load,
  loadSplat32,
  lookUp,
  repeat,
  shiftLeft32,
  shiftRight32,
  shuffle,
  store,
  subtract,
  xor,
} from './assembler.ts'

/**
 * SHA-256 of four messages at a time: a vector holds the same word of all four. The digests of a square are many and short, so that
 * the way to OpenSSL and back costs more than its faster instructions win.
 */
export const LANES = 4
const VECTOR = 16

/** Cube roots of the first 64 primes and square roots of the first 8: the first 32 bits behind the point. */
const PRIMES = listPrimes(64)
const ROUND_CONSTANTS = PRIMES.map((prime) => firstBits(prime, 3))
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => firstBits(prime, 2))

/** Where the state of the digests in work, the words of their next block and the constants lie. */
const STATE = 256
const WORDS = STATE + 8 * VECTOR
const CONSTANTS = WORDS + 16 * VECTOR
const INITIAL = CONSTANTS + 64 * 4
export const SHA_MEMORY_END = INITIAL + 8 * 4

export function writeShaConstants(memory: DataView): void {
  for (const [i, value] of ROUND_CONSTANTS.entries()) memory.setUint32(CONSTANTS + 4 * i, value, true)
  for (const [i, value] of INITIAL_STATE.entries()) memory.setUint32(INITIAL + 4 * i, value, true)
}

/** One block of 64 bytes of every lane, from the words into the state. */
export const compress: KernelFunction = {
  name: 'compress',
  params: 0,
  body: (allocate) => {
    const state = Array.from({ length: 8 }, () => allocate('v128'))
    const words = Array.from({ length: 16 }, () => allocate('v128'))
    const constants = allocate('i32')
    const round = makeRound(allocate, state, words, constants)
    const stateAt = (i: number) => int(STATE + VECTOR * i)
    return join(
      ...state.map((word, i) => word.set(load(stateAt(i)))),
      ...words.map((word, i) => word.set(load(int(WORDS + VECTOR * i)))),
      constants.set(int(CONSTANTS)),
      round.begin,
      ...words.map((_, t) => round.step(t)),
      repeat(
        join(constants.set(add(constants.get, int(16 * 4))), ...words.map((_, t) => join(expandWord(words, t), round.step(t)))),
        isPositive(subtract(int(CONSTANTS + 3 * 16 * 4), constants.get)),
      ),
      ...state.map((word, i) => store(stateAt(i), add32(word.get, load(stateAt(i))))),
    )
  },
}

/** Vector `index` (16 bytes) of the padded message of a lane. */
export type Message = { blocks: number; vector: (lane: number, index: number) => Code }

/** The digests of four messages; `write` gets each of their halves of 16 bytes. */
export function digest(
  allocate: Allocate,
  { blocks, vector }: Message,
  write: (lane: number, half: number, value: Code) => Code,
  compressIndex: number,
): Code {
  const rows = Array.from({ length: LANES }, () => allocate('v128'))
  const halves = Array.from({ length: LANES }, () => allocate('v128'))
  const transposeWith = transpose(rows, halves)
  const readQuarter = (block: number, quarter: number) =>
    join(
      ...rows.map((row, lane) => row.set(swapBytes(vector(lane, 4 * block + quarter)))),
      transposeWith((i, value) => store(int(WORDS + VECTOR * (4 * quarter + i)), value)),
    )
  return join(
    ...INITIAL_STATE.map((_, i) => store(int(STATE + VECTOR * i), loadSplat32(int(INITIAL + 4 * i)))),
    ...Array.from({ length: blocks }, (_, block) =>
      join(...[0, 1, 2, 3].map((quarter) => readQuarter(block, quarter)), call(compressIndex)),
    ),
    ...[0, 1].map((half) =>
      join(
        ...rows.map((row, i) => row.set(load(int(STATE + VECTOR * (4 * half + i))))),
        transposeWith((lane, value) => write(lane, half, swapBytes(value))),
      ),
    ),
  )
}

function makeRound(allocate: Allocate, state: Local[], words: Local[], constants: Local) {
  const sum = allocate('v128')
  const common = allocate('v128')
  /** a xor b of this round is b xor c of the next one. */
  const changes = [allocate('v128'), allocate('v128')]
  const begin = changes[1]!.set(xor(state[1]!.get, state[2]!.get))
  const step = (t: number): Code => {
    const [a, b, , d, e, f, g, h] = state.map((_, i) => state[(i - t) & 7]!) as [Local, ...Local[]]
    const change = changes[t & 1]!
    return join(
      sum.set(add32(h!.get, add32(words[t]!.get, loadSplat32(constants.get, 4 * t)))),
      sum.set(add32(sum.get, xor(g!.get, and(e!.get, xor(f!.get, g!.get))))),
      sum.set(add32(sum.get, rotations(e!, 6, 11, 25))),
      d!.set(add32(d!.get, sum.get)),
      change.set(xor(a.get, b!.get)),
      common.set(xor(b!.get, and(change.get, changes[1 - (t & 1)]!.get))),
      h!.set(add32(sum.get, add32(common.get, rotations(a, 2, 13, 22)))),
    )
  }
  return { begin, step }
}

function expandWord(words: Local[], t: number): Code {
  const word = (ago: number) => words[(t - ago) & 15]!
  const near = xor(rotation(word(2), 17), xor(rotation(word(2), 19), shiftRight32(word(2).get, 10)))
  const far = xor(rotation(word(15), 7), xor(rotation(word(15), 18), shiftRight32(word(15).get, 3)))
  return words[t]!.set(add32(add32(words[t]!.get, word(7).get), add32(near, far)))
}

function rotation(word: Local, bits: number): Code {
  return xor(shiftRight32(word.get, bits), shiftLeft32(word.get, 32 - bits))
}

function rotations(word: Local, ...bits: [number, number, number]): Code {
  return xor(xor(rotation(word, bits[0]), rotation(word, bits[1])), rotation(word, bits[2]))
}

/** Four vectors of one lane each become four of one word each, or the other way round. */
function transpose(rows: readonly Local[], halves: readonly Local[]) {
  const [r0, r1, r2, r3] = rows.map(({ get }) => get) as [Code, Code, Code, Code]
  const [h0, h1, h2, h3] = halves.map(({ get }) => get) as [Code, Code, Code, Code]
  return (target: (index: number, value: Code) => Code): Code =>
    join(
      halves[0]!.set(shuffle(r0, r1, ofWords(0, 4, 1, 5))),
      halves[1]!.set(shuffle(r2, r3, ofWords(0, 4, 1, 5))),
      halves[2]!.set(shuffle(r0, r1, ofWords(2, 6, 3, 7))),
      halves[3]!.set(shuffle(r2, r3, ofWords(2, 6, 3, 7))),
      target(0, shuffle(h0, h1, ofWords(0, 1, 4, 5))),
      target(1, shuffle(h0, h1, ofWords(2, 3, 6, 7))),
      target(2, shuffle(h2, h3, ofWords(0, 1, 4, 5))),
      target(3, shuffle(h2, h3, ofWords(2, 3, 6, 7))),
    )
}

function ofWords(...words: number[]): number[] {
  return words.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte))
}

const SWAPPED = bytes16(Array.from({ length: 16 }, (_, i) => i ^ 3))

/** Words of a message are big-endian. */
function swapBytes(vector: Code): Code {
  return lookUp(vector, SWAPPED)
}

function listPrimes(count: number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next++) if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  return primes
}

/** floor(fraction(prime ^ (1 / degree)) x 2^32) with whole numbers, by halving the interval. */
function firstBits(prime: number, degree: 2 | 3): number {
  const wanted = BigInt(prime) << BigInt(32 * degree)
  let low = 0n
  let high = 1n << 40n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle ** BigInt(degree) <= wanted) low = middle
    else high = middle
  }
  return Number(low & 0xffffffffn)
}
