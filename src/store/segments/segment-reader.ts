import { BoundedCache } from '../../lib/bounded-cache.ts'
import { Transient } from '../../lib/errors.ts'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Reader, Sealed, SealedKind } from '../db.ts'
import { positionInHeight } from '../pack/id.ts'
import { type Chunk, decodeChunk, decodeIndex, recordName } from './format.ts'

export type SegmentRow = { first_height: number; last_height: number; key: string; bytes: number; index_at: number }

type Records = Map<string, Buffer>
type Sized<T> = { value: T; size: number }

const INDEX_BYTES = 8 * 2 ** 20
const sizeOf = ({ size }: Sized<unknown>) => size

/** Reads what was moved into segments, with the chunks used last in memory. */
export class SegmentReader implements Sealed {
  readonly #store: ObjectStore
  readonly #chunks: BoundedCache<string, Sized<Records>>
  readonly #indexes = new BoundedCache<string, Sized<Chunk[]>>(INDEX_BYTES, sizeOf)
  readonly #loading = new SingleFlight<Records>()

  constructor(store: ObjectStore, cacheBytes: number) {
    this.#store = store
    this.#chunks = new BoundedCache<string, Sized<Records>>(cacheBytes, sizeOf)
  }

  async read(sql: Reader, kind: SealedKind, height: number, id: number): Promise<Buffer | undefined> {
    const [segment] = await sql<SegmentRow[]>`
      select first_height, last_height, key, bytes, index_at from segment
      where first_height <= ${height} order by first_height desc limit 1`
    if (!segment || segment.last_height < height) return undefined
    const part = kind === 'txs' ? 'txs' : 'rows'
    const index = await this.#index(segment)
    const chunk = index.find(({ part: of, first, last }) => of === part && first <= height && height <= last)
    if (!chunk) return undefined
    const name = `${segment.key} ${chunk.at}`
    const records = this.#chunks.get(name)?.value ?? (await this.#loading.run(name, () => this.#load(segment, chunk, name)))
    return records.get(recordName(kind, height, positionInHeight(id)))
  }

  async #index(segment: SegmentRow): Promise<Chunk[]> {
    const known = this.#indexes.get(segment.key)
    if (known) return known.value
    const bytes = await this.#range(segment, segment.index_at, segment.bytes - segment.index_at)
    const index = await decodeIndex(bytes).catch((error) => {
      throw damaged(segment, error)
    })
    this.#indexes.set(segment.key, { value: index, size: bytes.length })
    return index
  }

  async #load(segment: SegmentRow, chunk: Chunk, name: string): Promise<Records> {
    const decoded = await decodeChunk(await this.#range(segment, chunk.at, chunk.size), chunk)
    if (!decoded) throw damaged(segment)
    this.#chunks.set(name, { value: decoded.records, size: decoded.size })
    return decoded.records
  }

  async #range(segment: SegmentRow, at: number, size: number): Promise<Uint8Array> {
    const bytes = await this.#store.getRange(segment.key, at, size)
    if (!bytes) throw new Transient('segment_missing', `the segment ${segment.key} is missing in ${this.#store.name}`)
    return bytes
  }
}

function damaged({ key }: SegmentRow, cause?: unknown): Transient {
  return new Transient('segment_damaged', `the segment ${key} is damaged: \`astrolabe audit --repair\` makes it again`, {}, cause)
}
