import { setMaxListeners } from 'node:events'

/**
 * Runs `work` with a signal that is aborted by any of `signals`. Unlike AbortSignal.any it leaves nothing behind: there, Node 20 keeps a
 * reference per call on a signal that lives as long as the process.
 */
export async function withLinkedSignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, release } = linkSignals(signals)
  try {
    return await work(signal)
  } finally {
    release()
  }
}

/** Linked signal for work that is not one function; `release` must be called when it is over. */
export function linkSignals(signals: readonly AbortSignal[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  // Dozens of requests listen to one signal; that is no leak.
  setMaxListeners(0, controller.signal)
  const follow = (event: Event) => controller.abort((event.target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', follow, { once: true })
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) signal.removeEventListener('abort', follow)
    },
  }
}
