import type { OperatorStatus } from '../../../src/operator/status.ts'

export type Status = OperatorStatus & { networks: string[]; role: 'operator' | 'admin' }

/** Kept for this window only: it is gone when the window is closed. */
const KEY = 'astrolabe-operator-key'

export const readKey = (): string => sessionStorage.getItem(KEY) ?? ''

export function keepKey(key: string): void {
  if (key === '') sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, key)
}

/** The server refused the key. */
export class Refused extends Error {}

/** Asks the operator's API; `path` begins behind `/v1/auth`. */
export async function ask<T>(key: string, path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(`/v1/auth${path}`, { headers: { authorization: `Bearer ${key}` }, signal })
  if (response.ok) return (await response.json()) as T
  const { message } = (await response.json().catch(() => ({}))) as { message?: string }
  const reason = message ?? `status ${response.status}`
  throw [400, 401, 403, 429].includes(response.status) ? new Refused(reason) : new Error(reason)
}
