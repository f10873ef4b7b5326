import type pg from 'pg'
import { Transient } from '../../lib/errors.ts'
import { type Layout, readLayout } from './layout.ts'
import { dropLimits, LIMIT } from './limit.ts'
import { inLockedTransaction } from './locked.ts'
import { makePartitions, openPartitioner } from './make.ts'

/** Makes the partitions of an index ahead of its head, for the writer. */
export class PartitionKeeper {
  readonly #url: string
  readonly #schema: string
  #layout: Layout | undefined
  #making: Promise<void> | undefined

  constructor(url: string, schema: string) {
    this.#url = url
    this.#schema = schema
  }

  get isPartitioned(): boolean {
    return this.#layout !== undefined
  }

  async load(client: pg.ClientBase): Promise<void> {
    const layout = await readLayout(client)
    this.#layout = layout?.is_active ? layout : undefined
  }

  /**
   * Partitions for all heights up to `height`. The one after them is made in the background, so that normally nobody waits; one that
   * could not be made shows when it is needed.
   */
  async cover(height: number): Promise<void> {
    if (!this.#layout) return
    while (height >= this.#layout.made_to) await this.#make(height)
    if (height + this.#layout.heights >= this.#layout.made_to) this.#make(height + this.#layout.heights).catch(() => {})
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#making?.catch(() => {})
  }

  /**
   * Rows do not fit under the limit of a first partition that was never finished: the limit goes, not the rows. Another error is
   * returned as it is.
   */
  async explain(error: Error): Promise<Error> {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== '23514' || constraint !== LIMIT) return error
    await this.#withClient((client) =>
      inLockedTransaction(
        client,
        async () => {
          if ((await readLayout(client, { lock: true }))?.is_active) return
          await dropLimits(client)
          await client.query('truncate tx_hash; delete from partitioning')
        },
        { signal: new AbortController().signal },
      ),
    )
    return new Transient('partitioning_overtaken', 'the index outgrew a first partition that was not finished; it is dropped')
  }

  #make(height: number): Promise<void> {
    this.#making ??= this.#withClient(async (client) => {
      this.#layout = (await makePartitions(client, height)) ?? this.#layout
    }).finally(() => {
      this.#making = undefined
    })
    return this.#making
  }

  async #withClient(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = await openPartitioner(this.#url, this.#schema)
    try {
      await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
