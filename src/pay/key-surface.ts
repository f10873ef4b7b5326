import type { Db } from '../store/db.ts'
import { listRollupPfbs } from '../store/pay/rollup-pfbs.ts'
import type { KeyAnswer, KeySurface } from './catalog/operation.ts'

/** The part of a server that answers without a network. */
export type Injectable = {
  inject: (request: { method: 'GET'; url: string }) => Promise<Injected>
}

type Injected = { statusCode: number; payload: string; headers: Record<string, number | string | string[] | undefined> }

/** The key surface's own handlers, cache and one-head rule, called in process. `app` is never bound to a port. */
export function createKeySurface(app: Injectable, db: Db): KeySurface {
  return {
    async get(path, query = {}) {
      const search = new URLSearchParams(query).toString()
      const { statusCode, payload, headers } = await app.inject({
        method: 'GET',
        url: search === '' ? path : `${path}?${search}`,
      })
      return toAnswer(statusCode, payload, headers)
    },
    async countRollupPfbs() {
      const rows = await listRollupPfbs(db)
      return new Map(rows.map(({ rollup_id, pfb_count }) => [rollup_id, pfb_count]))
    },
  }
}

function toAnswer(status: number, payload: string, headers: Injected['headers']): KeyAnswer {
  const json: unknown = payload === '' ? undefined : JSON.parse(payload)
  const { 'retry-after': retryAfter, 'x-indexed-height': height } = headers
  if (status < 400) {
    const hasMore = String(headers.link).includes('rel="next"')
    return { status, json, height: height === undefined ? undefined : Number(height), hasMore }
  }
  const { message, param } = (json ?? {}) as { message?: string; param?: string }
  return {
    status,
    json: undefined,
    ...(message === undefined ? {} : { message }),
    ...(param === undefined ? {} : { param }),
    ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }),
  }
}
