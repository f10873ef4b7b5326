import type { FastifyInstance, InjectOptions } from 'fastify'
import { serverUrl } from '../../test/support/database.ts'
import { DEVNET, databaseUrl, SCHEMA } from '../../test/support/templates.ts'
import { openRecordingSource } from '../chain/recording/source.ts'
import { packagePath } from '../lib/package-path.ts'
import { type Db, openReader } from '../store/db.ts'
import { HeadWatch } from './head-watch.ts'
import { type ApiOptions, buildApi } from './server.ts'
import { type BlockStore, readBlocksFrom } from './square/block-store.ts'

export type TestAnswer = { status: number; headers: Record<string, string | undefined>; text: string; json: () => never }

export type TestApi = {
  app: FastifyInstance
  watch: HeadWatch
  get: (path: string, headers?: Record<string, string>) => Promise<TestAnswer>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<TestAnswer>
  send: (request: InjectOptions) => Promise<TestAnswer>
  /** our own failures, which no test expects without saying so */
  failures: unknown[]
  close: () => Promise<void>
}

/** The key surface over an indexed database, by default the recorded chain. Every answer is checked against its declared schema. */
export async function openTestApi(
  options: ApiOptions & { url?: string; db?: Db; blocksOver?: (recorded: BlockStore) => BlockStore } = {},
): Promise<TestApi> {
  const { url = databaseUrl(serverUrl, DEVNET), db: given, blocksOver = (recorded) => recorded, ...apiOptions } = options
  const db = given ?? openReader({ url, schema: SCHEMA, max: 4 })
  // Heads move when a test says so (`watch.confirm()`), not when a timer fires.
  const watch = new HeadWatch(db, { schema: SCHEMA, pollMs: 3_600_000 })
  await watch.start()
  // All of its files: a test asks for single heights all over the chain.
  const source = await openRecordingSource(packagePath('data/recordings/devnet'), { cacheBytes: 64 * 2 ** 20 })
  const failures: unknown[] = []
  const chainId = () => watch.head?.chain_id ?? ''
  const app = buildApi(
    {
      network: { name: 'main', chainId: chainId(), kind: 'main' },
      db,
      watch,
      head: () => watch.head,
      blocks: blocksOver(readBlocksFrom(source, chainId)),
      now: () => Date.parse(watch.head?.last_time ?? '1970-01-01T00:00:00Z'),
    },
    { validateResponses: true, onError: (error) => failures.push(error), ...apiOptions },
  )
  const send = async (request: InjectOptions): Promise<TestAnswer> => {
    const { statusCode, headers, payload } = await app.inject(request)
    return {
      status: statusCode,
      headers: headers as Record<string, string | undefined>,
      text: payload,
      json: () => JSON.parse(payload) as never,
    }
  }
  return {
    app,
    watch,
    send,
    failures,
    get: (path, headers = {}) => send({ method: 'GET', url: path, headers }),
    post: (path, body, headers = {}) =>
      send({
        method: 'POST',
        url: path,
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    close: async () => {
      await app.close()
      await watch.stop()
      await source.close()
      if (!given) await db.end()
    },
  }
}
