import type { Logger } from 'pino'

/** Resources to close, in the order they were opened. */
export type Closing = (() => Promise<unknown>)[]

/** Closes the last one first. One that fails keeps none of the others open. */
export async function closeAll(closing: Closing, log: Logger): Promise<void> {
  for (const close of closing.toReversed())
    await close().catch((error) => log.warn({ err: error }, 'closing failed: the other parts are closed all the same'))
}
