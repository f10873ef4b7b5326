import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { roundToDisk } from './blob-file.ts'

/** Room that is made at once, so that the folders are counted seldom. */
const KEEP_PART = 0.9

/** The folders of the oldest heights go when kept blobs take more than `maxBytes`; the newest one always stays. */
export class DiskLimit {
  readonly #folder: string
  readonly #maxBytes: number
  #counted: number | undefined
  /** since the count began; a blob that is written twice is in it twice */
  #added = 0
  #pruning: Promise<void> = Promise.resolve()

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
  }

  /** Bytes were written. The first call counts what earlier runs left. Resolves when there is no more than allowed. */
  add(bytes: number): Promise<void> {
    this.#added += bytes
    if (this.#isOver()) this.#pruning = this.#pruning.then(() => this.#prune())
    return this.#pruning
  }

  #isOver(): boolean {
    return this.#counted === undefined || this.#counted + this.#added > this.#maxBytes
  }

  async #prune(): Promise<void> {
    if (!this.#isOver()) return
    const added = this.#added
    const names = (await readdir(this.#folder).catch(() => [])).sort()
    const sizes: number[] = []
    for (const name of names) sizes.push(await measureFolder(join(this.#folder, name)))
    let total = sizes.reduce((sum, size) => sum + size, 0)
    if (total > this.#maxBytes)
      for (const [i, name] of names.slice(0, -1).entries()) {
        if (total <= this.#maxBytes * KEEP_PART) break
        await rm(join(this.#folder, name), { recursive: true, force: true })
        total -= sizes[i]!
      }
    this.#counted = total
    this.#added -= added
  }
}

async function measureFolder(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder).catch(() => [])) {
    bytes += await stat(join(folder, name)).then(
      ({ size }) => roundToDisk(size),
      () => 0,
    )
  }
  return bytes
}
