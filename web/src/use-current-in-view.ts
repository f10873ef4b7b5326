import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Where there is little room a row of choices is wider than the window: moves it so that the current one is seen, and fades at its ends. */
export function useCurrentInView<E extends HTMLElement>(current: unknown): RefObject<E | null> {
  const row = useRef<E>(null)
  useEffect(() => {
    const list = row.current
    const chosen = list?.querySelector<HTMLElement>('[aria-current], [aria-pressed="true"]')
    if (list && chosen) list.scrollLeft = chosen.offsetLeft - (list.clientWidth - chosen.offsetWidth) / 2
  }, [current])
  useEffect(() => (row.current ? markEnds(row.current) : undefined), [])
  return row
}

/** Marks at which ends more can be scrolled to, for the style to show it. */
export function markEnds(row: HTMLElement): () => void {
  const mark = () => {
    const rest = row.scrollWidth - row.clientWidth
    row.classList.toggle('more-before', row.scrollLeft > 1)
    row.classList.toggle('more-after', row.scrollLeft < rest - 1)
  }
  const observer = new ResizeObserver(mark)
  observer.observe(row)
  for (const child of row.children) observer.observe(child)
  row.addEventListener('scroll', mark, { passive: true })
  return () => {
    observer.disconnect()
    row.removeEventListener('scroll', mark)
  }
}
