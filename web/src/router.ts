import { createStore, useStore } from './store.ts'

/** The part behind `#` is the place: it needs no server, so a link works wherever the files are. */
export type Route = { path: string[]; query: URLSearchParams; text: string }

function readRoute(): Route {
  const text = location.hash.replace(/^#\/?/, '')
  const mark = text.indexOf('?')
  const path = (mark < 0 ? text : text.slice(0, mark)).split('/').filter(Boolean).map(decodePart)
  return { path, query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)), text }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const route = createStore(readRoute())
addEventListener('hashchange', () => route.set(readRoute()))

export const useRoute = (): Route => useStore(route, (value) => value)

type Query = Record<string, string | number | boolean | undefined>

/** Address of a place; query values that are undefined, false or '' are left out. */
export function linkTo(path: (string | number)[], query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== false && value !== '') search.set(name, String(value))
  const text = path.map((part) => encodeURIComponent(String(part))).join('/')
  return `#/${text}${search.size > 0 ? `?${search}` : ''}`
}

/** The same place with other query values. */
export function linkHere(changes: Query): string {
  const { path, query } = route.get()
  return linkTo(path, { ...Object.fromEntries(query), ...changes })
}

export function goTo(address: string): void {
  location.hash = address
}
