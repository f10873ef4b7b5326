/**
 * The little of WebAssembly that the kernels of this folder need, written as expressions: every function returns the bytes of its
 * instructions, operands first. The module is put together when it is first used, so nothing compiled is kept in the repository
 * (docs/decisions/0105-vector-code.md).
 */
export type Code = number | readonly Code[]

export type KernelFunction = { name: string; params: number; body: (allocate: Allocate, params: Local[]) => Code }

/** A variable of a function. */
export type Local = { get: Code; set: (value: Code) => Code }
export type Allocate = (type: 'i32' | 'v128') => Local

const TYPES = { i32: 0x7f, v128: 0x7b } as const
const FUNCTION_TYPE = 0x60
const NO_RESULT = 0x40

function unsigned(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest & 127) | 128)
  }
}

function signed(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...bytes, rest & 127]
    bytes.push((rest & 127) | 128)
  }
}

const operation =
  (...code: Code[]) =>
  (...operands: Code[]): Code => [operands, code]
const simd = (code: number, ...immediate: Code[]) => operation(0xfd, unsigned(code), immediate)

export const join = (...parts: Code[]): Code => parts
export const int = (value: number): Code => [0x41, signed(value)]
export const add = operation(0x6a)
export const subtract = operation(0x6b)
export const multiply = operation(0x6c)
export const isZero = operation(0x45)
export const isPositive = (value: Code) => operation(0x4a)(value, int(0))
export const both = operation(0x71)
/** The first operand when the third is not zero, else the second. */
export const choose = operation(0x1b)

export const load = (at: Code, offset = 0) => simd(0, 0, unsigned(offset))(at)
export const loadSplat32 = (at: Code, offset = 0) => simd(9, 0, unsigned(offset))(at)
export const store = (at: Code, value: Code, offset = 0) => simd(11, 0, unsigned(offset))(at, value)
export const bytes16 = (bytes: readonly number[]) => simd(12, bytes)()
/** Picks bytes of two vectors: 0..15 of the first, 16..31 of the second. */
export const shuffle = (first: Code, second: Code, lanes: readonly number[]) => simd(13, lanes)(first, second)
/** Looks the bytes of the second vector up in the first. */
export const lookUp = simd(14)
export const not = simd(77)
export const and = simd(78)
export const xor = simd(81)
/** Bits of the first operand where the third has ones, else of the second. */
export const select = simd(82)
export const hasOnes = simd(83)
export const shiftRight16 = (vector: Code, bits: number) => simd(141)(vector, int(bits))
export const shiftLeft32 = (vector: Code, bits: number) => simd(171)(vector, int(bits))
export const shiftRight32 = (vector: Code, bits: number) => simd(173)(vector, int(bits))
export const add32 = simd(174)

/** Runs `body` while `condition` holds, which is looked at after each turn. */
export const repeat = (body: Code, condition: Code): Code => [0x03, NO_RESULT, body, condition, 0x0d, 0, 0x0b]
export const call = (index: number): Code => [0x10, unsigned(index)]

/** A module whose functions take integers, return nothing and work on the memory `env.memory`; all are exported. */
export function assemble(functions: readonly KernelFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params }) => [FUNCTION_TYPE, list(Array<Code>(params).fill(TYPES.i32)), 0])
  const memory = [text('env'), text('memory'), 2, 0, 1]
  const indexes = functions.map((_, index) => unsigned(index))
  const exported = functions.map(({ name }, index) => [text(name), 0, unsigned(index)])
  return Uint8Array.from(
    flatten([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      [1, sized(list(types))],
      [2, sized(list([memory]))],
      [3, sized(list(indexes))],
      [7, sized(list(exported))],
      [10, sized(list(functions.map(writeBody)))],
    ]),
  )
}

function writeBody({ params, body }: KernelFunction): Code {
  const locals: Code[] = []
  const toLocal = (index: number): Local => ({
    get: [0x20, unsigned(index)],
    set: (value) => [value, 0x21, unsigned(index)],
  })
  const allocate: Allocate = (type) => toLocal(params + locals.push([1, TYPES[type]]) - 1)
  const inputs = Array.from({ length: params }, (_, index) => toLocal(index))
  const code = body(allocate, inputs)
  return sized([list(locals), code, 0x0b])
}

function list(items: readonly Code[]): Code {
  return [unsigned(items.length), items]
}

function sized(code: Code): Code {
  const bytes = flatten(code)
  return [unsigned(bytes.length), bytes]
}

function text(value: string): Code {
  return [unsigned(value.length), [...Buffer.from(value)]]
}

function flatten(code: Code, into: number[] = []): number[] {
  if (typeof code === 'number') into.push(code)
  else for (const part of code) flatten(part, into)
  return into
}
