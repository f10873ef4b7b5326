import { createStore, useStore } from './store.ts'

export type Network = { name: string; kind: 'main' | 'test'; chain_id?: string; url: string; demo?: true }
export type Networks = {
  current: string
  networks: Network[]
  attribution?: { name: string; url: string; text: string; example: string }
}

const networks = createStore<Networks | undefined>(undefined)

export const useNetworks = (): Networks | undefined => useStore(networks, (value) => value)

/** The list of networks beside this page. Without it the page works, only the switch is missing. */
export async function loadNetworks(): Promise<void> {
  try {
    const response = await fetch('/networks.json')
    if (response.ok) networks.set((await response.json()) as Networks)
  } catch {
    // The board shows that the server is away.
  }
}

/** A server that only knows itself as local is meant as the machine this page came from. */
export function reachable(url: string): string {
  const address = new URL(url, location.href)
  if (isLocal(address.hostname) && !isLocal(location.hostname)) address.hostname = location.hostname
  return address.href
}

const isLocal = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(host)
