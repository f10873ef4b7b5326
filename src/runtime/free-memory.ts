import { MessageChannel } from 'node:worker_threads'

/** Memory moved to a closed port is freed. */
const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * Gives the memory back at once: to the collector a buffer of a megabyte is a small object, and it lets tens of them pile up. `transfer(0)` of Node 22
 * does the same: the message channel goes with Node 20.
 */
export function freeMemory(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) nowhere.postMessage(undefined, [buffer])
}

const LARGE_BYTES = 2 ** 20

/** For memory of any size: giving back a small piece costs more than leaving it to the collector. */
export function freeLargeMemory(buffer: ArrayBufferLike): void {
  if (buffer.byteLength >= LARGE_BYTES) freeMemory(buffer)
}
