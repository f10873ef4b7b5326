import type { Logger } from 'pino'

/** What has to be closed, in the order it was opened. */
export type Closing = (() => Promise<unknown>)[]

/** Closes the last one first. One that fails keeps none of the others open. */
export async function closeAll(closing: Closing, log: Logger): Promise<void> {
  for (const close of closing.toReversed()) await close().catch((error) => log.warn({ err: error }, 'not closed cleanly'))
}
