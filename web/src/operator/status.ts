import type { OperatorStatus } from '../../../src/operator/status.ts'

export type Status = OperatorStatus & { networks: string[] }

/** Kept for this window only: it is gone when the window is closed. */
const KEY = 'astrolabe-operator-key'

export const readKey = (): string => sessionStorage.getItem(KEY) ?? ''

export function keepKey(key: string): void {
  if (key === '') sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, key)
}

/** The server refused the key. */
export class Refused extends Error {}

export async function askStatus(key: string, network: string | undefined, signal: AbortSignal): Promise<Status> {
  const query = network === undefined ? '' : `?network=${encodeURIComponent(network)}`
  const response = await fetch(`/v1/auth/status${query}`, { headers: { authorization: `Bearer ${key}` }, signal })
  if (response.ok) return (await response.json()) as Status
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  const reason = message ?? `status ${response.status}`
  throw [400, 401, 403, 429].includes(response.status) ? new Refused(reason) : new Error(reason)
}
