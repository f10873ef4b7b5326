import { useEffect, useState } from 'preact/hooks'
import { ask, Refused } from './status.ts'

const EVERY_MS = 5000

export type Polled<T> = {
  value: T | undefined
  /** why the last question failed; the value may be old */
  failure: string | undefined
}

/** An answer of the operator's API, asked again every few seconds. `onRefused` hears of a key that does not hold. */
export function usePolled<T>(bearer: string, path: string, onRefused: (reason: string) => void): Polled<T> {
  const [polled, setPolled] = useState<Polled<T>>({ value: undefined, failure: undefined })
  useEffect(() => {
    const controller = new AbortController()
    const poll = async () => {
      try {
        const value = await ask<T>(bearer, path, controller.signal)
        setPolled({ value, failure: undefined })
      } catch (error) {
        if (controller.signal.aborted) return
        const failure = (error as Error).message
        if (!(error instanceof Refused)) setPolled((before) => ({ ...before, failure }))
        else onRefused(failure)
      }
    }
    void poll()
    const timer = setInterval(poll, EVERY_MS)
    return () => {
      controller.abort()
      clearInterval(timer)
    }
  }, [bearer, path])
  return polled
}
