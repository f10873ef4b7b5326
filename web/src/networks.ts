export type Network = { name: string; kind: 'main' | 'test'; chain_id?: string; url: string; demo?: true }
export type Networks = {
  current: string
  networks: Network[]
  /** registered ones, by namespace and by name of the rollup */
  colours?: { namespaces: Record<string, string>; rollups: Record<string, string> }
  attribution?: { name: string; url: string; text: string; example: string }
}

/** Networks beside this page, as the server wrote them into the document; the operator's view has none. */
export const site = JSON.parse(document.getElementById('site')?.textContent ?? 'null') as Networks | null

/** A server that only knows itself as local is meant as the machine this page came from. */
export function reachable(url: string): string {
  const address = new URL(url, location.href)
  if (isLocal(address.hostname) && !isLocal(location.hostname)) address.hostname = location.hostname
  return address.href
}

const isLocal = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(host)
