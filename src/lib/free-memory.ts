import { MessageChannel } from 'node:worker_threads'

/** What is moved to a closed port is gone. */
const { port1: nowhere } = new MessageChannel()
nowhere.close()

/** Gives the memory back at once: to the collector a buffer of a megabyte is a small object, and it lets tens of them pile up. */
export function freeMemory(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) nowhere.postMessage(undefined, [buffer])
}
