import { connect } from 'node:net'
import { systemClock } from '../../lib/clock.ts'

const WATCH_MS = 1000

/**
 * Looks again and again whether a server that another process started still listens, and calls `onGone` each time it does not; whoever
 * started a server itself hears of its end. Returns what ends the watch.
 */
export function watchServer(port: number, onGone: () => Promise<void>): () => void {
  const over = new AbortController()
  const watch = async () => {
    for (;;) {
      await systemClock.sleep(WATCH_MS, over.signal)
      if (!(await isListening(port))) await onGone()
    }
  }
  // Only the end of the watch ends it.
  watch().catch(() => {})
  return () => over.abort()
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
