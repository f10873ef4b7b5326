import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PEPPER } from '../access/guarded-api.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { runCli } from '../support/program.ts'
import { Receiver } from './receiver.ts'
import { openWebhookApi } from './stack.ts'

/** `astrolabe webhooks` as an operator types it, beside a server that delivers. */
const folder = mkdtempSync(join(tmpdir(), 'astrolabe-webhooks-'))
const env = { ...process.env, KEY_PEPPER: PEPPER, WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_PRIVATE_TARGETS: '127.0.0.1' }
let url: string
before(async () => {
  url = await freshDatabase('devnet')
})
after(() => rm(folder, { recursive: true, force: true }))

const astrolabe = (...words: string[]) => runCli([...words, '--database', url, '--data', folder], { env }).ended

async function answer<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await astrolabe('webhooks', ...words)
  assert.equal(code, 0, err)
  return JSON.parse(out) as T
}

test('an operator creates, lists, tests and deletes a webhook by command', async () => {
  const made = await astrolabe('keys', 'create', '--label', 'Acme')
  const account = /, account (\w+)/.exec(made.err)![1]!
  const secrets: string[] = []
  const receiver = await Receiver.open(() => secrets)
  const refused = await astrolabe('webhooks', 'create', '--account', account, '--url', receiver.url, '--events', 'blocks')
  assert.deepEqual([refused.code, /^.*events/.test(refused.err)], [1, true], refused.err)
  const created = await astrolabe('webhooks', 'create', '--account', account, '--url', receiver.url, '--events', 'block')
  assert.match(created.out, /^whsec_[\w+/=]+\n$/, created.err)
  secrets.push(created.out.trim())
  const id = /^id (\w+),/.exec(created.err)![1]!
  const [listed] = await answer<{ id: string; account: string }[]>('list', '--json')
  assert.deepEqual([listed!.id, listed!.account], [id, account])
  assert.deepEqual((await answer<{ ok: boolean; status: number }>('test', id)).status, 204)
  assert.equal(receiver.events.at(-1)!.type, 'webhook.test')
  assert.equal((await answer<{ id: string }>('delete', id)).id, id)
  assert.deepEqual(receiver.invalid, [])
})

longTest('an operator creates, lists, tests, replays, pauses, resumes, rotates and deletes webhooks by command', async () => {
  const made = await astrolabe('keys', 'create', '--label', 'Acme')
  const account = /, account (\w+)/.exec(made.err)![1]!
  const secrets: string[] = []
  const receiver = await Receiver.open(() => secrets)
  receiver.manner = () => (secrets.length === 0 ? 'fail' : 'ok')

  const refused = await Promise.all([
    astrolabe('webhooks', 'create', '--account', account, '--url', receiver.url, '--events', 'blocks'),
    astrolabe('webhooks', 'create', '--account', account, '--url', receiver.url, '--events', 'tx', '--filters', 'signer'),
    astrolabe('webhooks', 'create', '--account', account, '--url', 'http://10.0.0.1/', '--events', 'block'),
    astrolabe('webhooks', 'show', 'wh_none'),
  ])
  assert.deepEqual(
    refused.map(({ code }) => code),
    [1, 1, 1, 1],
  )
  for (const [i, words] of [
    /^.*events/,
    /--filters takes JSON/,
    /10.0.0.1 is not a public address/,
    /there is no webhook wh_none/,
  ].entries())
    assert.match(refused[i]!.err, words)

  const target = ['--account', account, '--url', receiver.url, '--events', 'block', '--from', '401']
  const created = await astrolabe('webhooks', 'create', ...target)
  assert.equal(created.code, 0, created.err)
  assert.match(created.out, /^whsec_[\w+/=]+\n$/)
  secrets.push(created.out.trim())
  const id = /^id (\w+), sends what comes after height 400/.exec(created.err)![1]!

  const api = await openWebhookApi(url)
  const events = await receiver.until(({ length }) => length === 3)
  assert.deepEqual(
    events.map(({ height }) => height),
    [401, 402, 403],
  )
  await api.close()

  const [all, table, deliveries, tested] = await Promise.all([
    answer<{ id: string; account: string; height: number }[]>('list', '--json'),
    astrolabe('webhooks', 'list'),
    answer<{ id: string; height: number; state: string }[]>('deliveries', id),
    answer<{ ok: boolean; status: number }>('test', id),
  ])
  assert.deepEqual([all.length, all[0]!.id, all[0]!.account], [1, id, account])
  assert.match(table.out, new RegExp(`${id} .*active.*${receiver.url}`))
  assert.deepEqual(
    deliveries.map(({ height, state }) => [height, state]),
    [403, 402, 401].map((height) => [height, 'delivered']),
  )
  assert.deepEqual([tested.ok, tested.status], [true, 204])
  assert.equal(receiver.events.at(-1)!.type, 'webhook.test')
  assert.equal((await answer<{ ok: boolean }>('replay', id, deliveries[1]!.id)).ok, true)
  assert.equal(receiver.events.at(-1)!.id, deliveries[1]!.id)

  assert.equal((await answer<{ state: string }>('pause', id)).state, 'paused')
  assert.equal((await answer<{ state: string }>('resume', id)).state, 'active')
  const { secret } = await answer<{ secret: string }>('rotate', id)
  assert.match(secret, /^whsec_/)
  assert.notEqual(secret, secrets[0])
  assert.equal((await answer<{ id: string }>('show', id)).id, id)
  assert.equal((await answer<{ id: string }>('delete', id)).id, id)
  assert.match((await astrolabe('webhooks', 'list')).out, /there are no webhooks yet/)
  assert.deepEqual(receiver.invalid, [])
})
