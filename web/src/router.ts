import { isPagePlace } from '../../src/types/page-places.ts'
import { createStore, useStore } from './store.ts'

/** The path of the address is the place: the server answers all of them with this page. */
export type Route = { path: string[]; query: URLSearchParams; text: string }

function readRoute(): Route {
  const path = location.pathname.split('/').filter(Boolean).map(decodePart)
  return { path, query: new URLSearchParams(location.search), text: location.pathname + location.search }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type Listener = () => void
const listeners = new Set<Listener>()

/** Told after the address has changed and before the page of the new place is drawn. */
export const onNavigation = (listener: Listener): void => void listeners.add(listener)

/** Places used to stand behind `#`: such links still work. */
function followOldAddress(): void {
  if (location.hash.startsWith('#/')) history.replaceState(history.state, '', location.hash.slice(1))
}

followOldAddress()
const route = createStore(readRoute())

function arrived(): void {
  followOldAddress()
  for (const listener of listeners) listener()
  route.set(readRoute())
}

addEventListener('popstate', arrived)

/** Links within the page are followed without loading it again; all others are the browser's. */
addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  const [first = ''] = link.pathname.split('/').filter(Boolean)
  if (first !== '' && !isPagePlace(first)) return
  event.preventDefault()
  goTo(link.pathname + link.search)
})

export const useRoute = (): Route => useStore(route, (value) => value)

type Query = Record<string, string | number | boolean | undefined>

/** Address of a place; query values that are undefined, false or '' are left out. */
export function linkTo(path: (string | number)[], query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== false && value !== '') search.set(name, String(value))
  const text = path.map((part) => encodeURIComponent(String(part))).join('/')
  return `/${text}${search.size > 0 ? `?${search}` : ''}`
}

/** This place with other query values. */
export function linkHere(changes: Query): string {
  const { path, query } = route.get()
  return linkTo(path, { ...Object.fromEntries(query), ...changes })
}

export function goTo(address: string): void {
  if (address !== location.pathname + location.search) history.pushState(null, '', address)
  arrived()
}

/** Going back leads past the current place. */
export function goInstead(address: string): void {
  history.replaceState(history.state, '', address)
  arrived()
}
