import { useEffect, useState } from 'preact/hooks'

/** A value that components can follow. */
export type Store<T> = {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Value of `select`; the component is rendered again only when it changes. */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S {
  const [selected, setSelected] = useState(() => select(store.get()))
  useEffect(() => {
    const update = () => setSelected(() => select(store.get()))
    update()
    return store.subscribe(update)
  }, [store])
  return selected
}
