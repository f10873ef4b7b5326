import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<() => void>()
setInterval(() => {
  if (!document.hidden) for (const listener of listeners) listener()
}, 1000)

/** Value that `read` computes from the time of day; checked every second, rendered only when it changes. */
export function useClock<T extends string | number>(read: (now: number) => T): T {
  const [value, setValue] = useState(() => read(Date.now()))
  useEffect(() => {
    const update = () => setValue(read(Date.now()))
    update()
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [read])
  return value
}
