import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ForgedBlock } from '../node/forge.ts'
import { type GeneratedState, readState, writeState } from './state.ts'

/** State from which a generated chain continues. */
export type KeptChain = { chainId: string; genesisTime: number; state: GeneratedState }

const BLOCKS = 'blocks.bin'
const PLACES = 'places.bin'
const STATE = 'chain.json'
const PLACE_BYTES = 8

/**
 * The blocks of a generated chain on disk, as a node keeps them. A block counts once the state after it is written; what a crash left
 * behind that is cut off. Heights start at 1.
 */
export class BlockFile {
  readonly #dir: string
  readonly #blocks: number
  /** for each height, where its block ends */
  readonly #places: number
  #height: number
  #size: number

  private constructor(dir: string, height: number) {
    this.#dir = dir
    this.#blocks = openSync(join(dir, BLOCKS), existsSync(join(dir, BLOCKS)) ? 'r+' : 'w+')
    this.#places = openSync(join(dir, PLACES), existsSync(join(dir, PLACES)) ? 'r+' : 'w+')
    this.#height = height
    this.#size = this.#endOf(height)
    ftruncateSync(this.#blocks, this.#size)
    ftruncateSync(this.#places, height * PLACE_BYTES)
  }

  /** `kept` is undefined when there is no chain yet. */
  static open(dir: string): { file: BlockFile; kept: KeptChain | undefined } {
    mkdirSync(dir, { recursive: true })
    const kept = existsSync(join(dir, STATE)) ? readKept(readFileSync(join(dir, STATE), 'utf8')) : undefined
    return { file: new BlockFile(dir, kept?.state.height ?? 0), kept }
  }

  append(forged: ForgedBlock): void {
    const bytes = deflateRawSync(JSON.stringify(forged), { level: 1 })
    writeSync(this.#blocks, bytes, 0, bytes.length, this.#size)
    this.#size += bytes.length
    const place = Buffer.alloc(PLACE_BYTES)
    place.writeBigUInt64LE(BigInt(this.#size))
    writeSync(this.#places, place, 0, PLACE_BYTES, this.#height * PLACE_BYTES)
    this.#height++
  }

  /** All that was appended counts from now on. */
  keep({ chainId, genesisTime, state }: KeptChain): void {
    const partial = join(this.#dir, `${STATE}.partial`)
    writeFileSync(partial, `${JSON.stringify({ chainId, genesisTime })}\n${writeState(state)}\n`)
    renameSync(partial, join(this.#dir, STATE))
  }

  read(height: number): ForgedBlock | undefined {
    if (height < 1 || height > this.#height) return undefined
    const from = this.#endOf(height - 1)
    const bytes = Buffer.alloc(this.#endOf(height) - from)
    readSync(this.#blocks, bytes, 0, bytes.length, from)
    return JSON.parse(inflateRawSync(bytes).toString('utf8')) as ForgedBlock
  }

  close(): void {
    closeSync(this.#blocks)
    closeSync(this.#places)
  }

  #endOf(height: number): number {
    if (height === 0) return 0
    const place = Buffer.alloc(PLACE_BYTES)
    readSync(this.#places, place, 0, PLACE_BYTES, (height - 1) * PLACE_BYTES)
    return Number(place.readBigUInt64LE())
  }
}

function readKept(text: string): KeptChain {
  const [head = '', state = ''] = text.split('\n')
  return { ...(JSON.parse(head) as Omit<KeptChain, 'state'>), state: readState(state) }
}
