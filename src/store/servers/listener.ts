import type pg from 'pg'
import { systemClock } from '../../lib/clock.ts'

/** Hears a channel on its own connection, which is opened again when it is lost. */
export class Listener {
  /** Settles with the first attempt. */
  readonly ready: Promise<void>
  readonly #stopping = new AbortController()
  #client: pg.Client | undefined
  #lost: Promise<unknown> = Promise.resolve()

  constructor(
    open: (signal: AbortSignal) => Promise<pg.Client>,
    channel: string,
    onNotice: (payload: string) => void,
    pauseMs: number,
  ) {
    const listen = async () => {
      const client = await open(this.#stopping.signal)
      this.#client = client
      this.#lost = new Promise((resolve) => client.once('end', resolve))
      client.on('notification', ({ payload = '' }) => onNotice(payload))
      await client.query(`listen "${channel}"`).catch(async (error) => {
        await client.end()
        throw error
      })
    }
    this.ready = listen()
    this.ready.then(() => this.#keep(listen, pauseMs)).catch(() => {})
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#client?.end()
  }

  /** Until the pause is cut short by the stop. */
  async #keep(listen: () => Promise<void>, pauseMs: number): Promise<never> {
    const isListening = () =>
      listen().then(
        () => true,
        () => false,
      )
    for (;;) {
      await this.#lost
      do await systemClock.sleep(pauseMs, this.#stopping.signal)
      while (!(await isListening()))
    }
  }
}
