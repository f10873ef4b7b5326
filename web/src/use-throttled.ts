import { useEffect, useRef, useState } from 'preact/hooks'

/** The value, at most every `ms`: a fast chain must not make every list load with every block. */
export function useThrottled<T>(value: T, ms = 3000): T {
  const [shown, setShown] = useState(value)
  const shownAt = useRef(0)
  useEffect(() => {
    if (Object.is(value, shown)) return
    const wait = Math.max(0, shownAt.current + ms - Date.now())
    const timer = setTimeout(() => {
      shownAt.current = Date.now()
      setShown(value)
    }, wait)
    return () => clearTimeout(timer)
  }, [value, ms])
  return shown
}
