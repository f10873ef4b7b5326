import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Where there is little room a row of choices is wider than the window: moves it so that the current one is seen. */
export function useCurrentInView<E extends HTMLElement>(current: unknown): RefObject<E | null> {
  const row = useRef<E>(null)
  useEffect(() => {
    const list = row.current
    const chosen = list?.querySelector<HTMLElement>('[aria-current], [aria-pressed="true"]')
    if (list && chosen) list.scrollLeft = chosen.offsetLeft - (list.clientWidth - chosen.offsetWidth) / 2
  }, [current])
  return row
}
