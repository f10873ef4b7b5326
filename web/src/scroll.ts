import { onNavigation } from './router.ts'

/** Going back restores the scroll position as soon as the page is long enough; any other navigation starts at the top. */

const LONGEST_WAIT_MS = 3000

const places = new Map<string, number>()
let current = markEntry()
let target: number | undefined
let stopWaiting = () => {}

history.scrollRestoration = 'manual'
addEventListener('scroll', () => places.set(current, scrollY), { passive: true })
// Before the page of the new place is drawn: the old one still has its length.
onNavigation(() => {
  const known = readEntry()
  target = known === undefined ? undefined : places.get(known)
  current = known ?? markEntry()
})

/** Called when a page is first drawn. */
export function arrive(): void {
  stopWaiting()
  scrollTo(0, target ?? 0)
  const wanted = target
  target = undefined
  if (!wanted) return
  // Its lists are still to come.
  const observer = new ResizeObserver(() => {
    scrollTo(0, wanted)
    if (Math.abs(scrollY - wanted) < 2) stopWaiting()
  })
  const timer = setTimeout(() => stopWaiting(), LONGEST_WAIT_MS)
  stopWaiting = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const event of HANDS) removeEventListener(event, stopWaiting)
  }
  // Input of the visitor ends the wait.
  for (const event of HANDS) addEventListener(event, stopWaiting, { passive: true, once: true })
  observer.observe(document.body)
}

const HANDS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

function readEntry(): string | undefined {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'place' in state ? String(state.place) : undefined
}

/** An entry of the history without a mark is new. */
function markEntry(): string {
  const key = readEntry() ?? Math.random().toString(36).slice(2)
  history.replaceState({ place: key }, '')
  return key
}
