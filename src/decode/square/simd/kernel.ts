import { assemble } from './assembler.ts'
import { fieldFunctions } from './field-code.ts'
import { hashLeaves, hashNodes } from './nmt-code.ts'
import { compress, SHA_MEMORY_END, writeShaConstants } from './sha256-code.ts'

type Functions = {
  /** Leaf nodes of shares side by side; a `namespaceStep` of 0 gives all of them the same namespace. */
  hashLeaves(share: number, namespace: number, namespaceStep: number, target: number, count: number): void
  /** Parents of pairs. `target` may lie on the pairs. */
  hashNodes(left: number, right: number, step: number, target: number, count: number): void
} & Record<ButterflyName, (low: number, high: number, size: number, tables: number) => void>

export type ButterflyName = 'mixBytes' | 'unmixBytes' | 'mixPairs' | 'unmixPairs'

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

/** The part of the interface that is used here; the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  Memory: new (options: { initial: number }) => Memory
  Module: new (code: Uint8Array) => object
  Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

const PAGE = 65536
/** Digests come four at a time: what is written behind the last one stays within this many bytes. */
export const SLACK = 1024

/** Tables of products: 32 bytes per factor of 8 bits, 128 per factor of 16 bits. The system gives memory to those that are filled. */
export const NARROW_TABLES = PAGE
export const WIDE_TABLES = 2 * PAGE
/** From here on, memory is for whoever calls, until the next call. */
const FREE = WIDE_TABLES + 128 * 65536

type Instance = { functions: Functions; memory: Memory; bytes: Uint8Array }

let instance: Instance | undefined

/** Made on first use, one per thread: it takes some milliseconds, and most processes never need it. */
function open(): Instance {
  if (instance) return instance
  if (SHA_MEMORY_END > NARROW_TABLES) throw new Error('the constants do not fit')
  const memory = new WebAssembly.Memory({ initial: FREE / PAGE + 1 })
  writeShaConstants(new DataView(memory.buffer))
  const code = new WebAssembly.Module(assemble([compress, hashLeaves(0), hashNodes(0), ...fieldFunctions]))
  const functions = new WebAssembly.Instance(code, { env: { memory } }).exports as Functions
  instance = { functions, memory, bytes: new Uint8Array(memory.buffer) }
  return instance
}

/** Vector code for the erasure code and the trees of squares. */
export function kernel(): Functions {
  return open().functions
}

/** The whole memory, until more is reserved. */
export function kernelBytes(): Uint8Array {
  return open().bytes
}

/** Makes room for so many bytes each and tells where they start. What an earlier caller wrote there is lost. */
export function reserve<const N extends readonly number[]>(...sizes: N): { bytes: Uint8Array; at: { [K in keyof N]: number } } {
  const opened = open()
  let end = FREE + SLACK
  const at = sizes.map((size) => {
    const start = end
    end += Math.ceil(size / 16) * 16 + SLACK
    return start
  })
  if (end > opened.bytes.length) {
    opened.memory.grow(Math.ceil((end - opened.bytes.length) / PAGE))
    opened.bytes = new Uint8Array(opened.memory.buffer)
  }
  return { bytes: opened.bytes, at: at as { [K in keyof N]: number } }
}
