import { once } from 'node:events'
import type pg from 'pg'
import { systemClock } from '../../lib/clock.ts'

/** Hears a channel on a connection of its own, which is opened again when it is lost. */
export class Listener {
  /** Settles with the first attempt. */
  readonly ready: Promise<void>
  readonly #stopping = new AbortController()
  #client: pg.Client | undefined

  constructor(
    open: (signal: AbortSignal) => Promise<pg.Client>,
    channel: string,
    onNotice: (payload: string) => void,
    pauseMs: number,
  ) {
    const listen = async () => {
      const client = await open(this.#stopping.signal)
      this.#client = client
      client.on('notification', ({ payload = '' }) => onNotice(payload))
      await client.query(`listen "${channel}"`)
    }
    this.ready = listen()
    this.ready.then(() => this.#keep(listen, pauseMs)).catch(() => {})
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#client?.end().catch(() => {})
  }

  async #keep(listen: () => Promise<void>, pauseMs: number): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const client = this.#client!
      await once(client, 'end', { signal })
      while (!(await listen().then(Boolean.bind(null, true), () => false))) await systemClock.sleep(pauseMs, signal)
    }
  }
}
