import { useEffect, useRef, useState } from 'preact/hooks'
import { useLive } from './live.ts'

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  /** the API answered that there is no such thing */
  | { state: 'missing' }
  | { state: 'failed'; error: Error; retry: () => void }

const LOADING = { state: 'loading' } as const

/**
 * Loads when it is first drawn and when `key` changes; what was there is dropped then. A change of `refresh` loads again behind the
 * scenes: the old value stays until the new one is there, also when that fails. What failed is asked for again when the server is back.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T | undefined>,
  key: string,
  refresh: string | number = '',
): Loaded<T> {
  const [loaded, setLoaded] = useState<{ key: string; value: Loaded<T> }>({ key, value: LOADING })
  const [attempt, setAttempt] = useState(0)
  const current = useRef(loaded)
  current.current = loaded
  useEffect(() => {
    const controller = new AbortController()
    const isFresh = current.current.key !== key || current.current.value.state !== 'ready'
    if (isFresh) setLoaded({ key, value: LOADING })
    load(controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return
        setLoaded({ key, value: value === undefined ? { state: 'missing' } : { state: 'ready', value } })
      },
      (error: Error) => {
        if (controller.signal.aborted || !isFresh) return
        setLoaded({ key, value: { state: 'failed', error, retry: () => setAttempt((n) => n + 1) } })
      },
    )
    return () => controller.abort()
  }, [key, refresh, attempt])
  const isOffline = useLive(({ connection }) => connection === 'offline')
  useEffect(() => {
    if (!isOffline && current.current.value.state === 'failed') setAttempt((n) => n + 1)
  }, [isOffline])
  return loaded.key === key ? loaded.value : LOADING
}
