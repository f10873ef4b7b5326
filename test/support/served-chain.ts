import { HeadWatch } from '../../src/api/head-watch.ts'
import { buildApi } from '../../src/api/server.ts'
import { openReader } from '../../src/store/db.ts'
import type { Json } from '../../src/types/effects.ts'
import { CHAIN_ID } from '../builders.ts'
import { SCHEMA } from './templates.ts'

/** `body` is undefined when there is none, or when it is not JSON. */
export type Answer<T> = { status: number; body: T; text: string }

export type ServedChain = {
  get: <T = Json | undefined>(path: string, headers?: Record<string, string>) => Promise<Answer<T>>
  /** rows of a list that must be there */
  list: (path: string) => Promise<Record<string, Json>[]>
  close: () => Promise<void>
}

/** The key surface over an indexed database, in process and without a port. Every answer is checked against its route's schema. */
export async function serveChain(url: string): Promise<ServedChain> {
  const db = openReader({ url, schema: SCHEMA, max: 4 })
  const watch = new HeadWatch(db, { schema: SCHEMA })
  await watch.start()
  const app = buildApi(
    {
      network: { name: 'main', chainId: CHAIN_ID, kind: 'main' },
      db,
      watch,
      head: () => watch.head,
      blocks: { read: async () => undefined },
      now: () => Date.parse(watch.head?.last_time ?? '1970-01-01T00:00:00Z'),
    },
    { validateResponses: true, cacheBytes: 0, onError: (error) => console.error(error) },
  )
  const get = async <T>(path: string, asked: Record<string, string> = {}): Promise<Answer<T>> => {
    const { statusCode, payload, headers } = await app.inject({ method: 'GET', url: `/v1${path}`, headers: asked })
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status: statusCode, text: payload, body: (isJson ? JSON.parse(payload) : undefined) as T }
  }
  return {
    get,
    list: async (path) => {
      const { status, body, text } = await get<Record<string, Json>[]>(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      return body
    },
    close: async () => {
      await app.close()
      await watch.stop()
      await db.end()
    },
  }
}
