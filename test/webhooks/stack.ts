import assert from 'node:assert/strict'
import { createKey } from '../../src/store/access/keys.ts'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { openGuardedApi, SECRETS, type TestApi } from '../access/guarded-api.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { Receiver } from './receiver.ts'
import { LOCAL } from './settings.ts'

type Body = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they need
export type Answer = { status: number; body: any }

export async function makeKey(url: string, plan = 'free'): Promise<string> {
  const sql = openPool('access', { url, schema: SHARED_SCHEMA, max: 1 })
  const { text } = await createKey(sql, SECRETS, { role: 'client', plan, label: 'test' })
  await sql.end()
  return text
}

/** The key surface with webhooks. */
export async function openWebhookApi(url: string, options: Parameters<typeof openGuardedApi>[1] = {}): Promise<TestApi> {
  const api = await openGuardedApi(url, { webhooks: { deliver: true, ...LOCAL }, ...options })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= api.close().finally(forget))
  const forget = closeAfterwards(close)
  return { ...api, close }
}

export function clientOf({ app }: TestApi, key: string | undefined) {
  return async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: Body): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: `/v1${path}`,
      headers: { ...(key && { apikey: key }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.payload === '' ? undefined : JSON.parse(answer.payload) }
  }
}

export type Client = ReturnType<typeof clientOf>

/** A subscription and its receiver. */
export async function subscribe(client: Client, settings: Body): Promise<{ id: string; receiver: Receiver; secrets: string[] }> {
  const secrets: string[] = []
  let tell = () => {}
  const known = new Promise<void>((resolve) => {
    tell = resolve
  })
  const receiver = await Receiver.open(async () => {
    await known
    return secrets
  })
  const { status, body } = await client('POST', '/webhooks', { url: receiver.url, ...settings })
  assert.equal(status, 200, JSON.stringify(body))
  secrets.push(body.secret)
  tell()
  return { id: body.id, receiver, secrets }
}
