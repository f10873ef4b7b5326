import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { openLedgerRole } from '../../src/store/pay/role.ts'
import { SECRETS } from '../access/secrets.ts'
import { type Bed, makeBed, uniqueId } from './bed.ts'
import { mppClient } from './clients.ts'
import { CONFIGS } from './plans/plans.ts'

let bed: Bed
let url: string
let ledger: SqlPool
before(async () => {
  bed = await makeBed()
  url = await openLedgerRole(bed.databaseUrl)
  ledger = openPool('pay', { schema: SHARED_SCHEMA, url, max: 1 })
})
after(async () => {
  await ledger.end()
  await bed.stop()
})

/** Buys an answer, a key and its renewal from a server with this role. */
async function buyAll(databaseUrl: string): Promise<void> {
  const server = await bed.serve({ databaseUrl, plans: { configs: CONFIGS, secrets: SECRETS } })
  const { fetch } = mppClient(server.settings)
  assert.equal((await fetch(`${server.url}/v1/head`)).status, 200)
  const plan = `${server.url}/v1/plans/developer/keys`
  const { key } = (await (await fetch(plan, { method: 'POST' })).json()) as { key: string }
  const renewed = await fetch(plan, { method: 'POST', headers: { apikey: key } })
  assert.equal(renewed.status, 200, await renewed.text())
  await server.close()
}

test('the role of the ledger is enough to sell, also after a second start', async () => {
  assert.equal(await openLedgerRole(bed.databaseUrl), url)
  await buyAll(url)
  const [row] = await ledger<{ role: string; payments: number }[]>`select current_user as role, count(*) as payments from payment`
  assert.deepEqual({ ...row }, { role: 'astrolabe_pay', payments: 3 })
})

const ON_KEYS = [
  'select label from api_key',
  'delete from api_key',
  "update api_key set role = 'admin'",
  "insert into api_key (id, account, role, plan, label, digest, prefix, last4) values ('a', 'a', 'admin', 'free', '', '', '', '')",
]

test('it reaches nothing but the ledger, and of keys what selling them takes', async () => {
  for (const statement of [
    ...ON_KEYS,
    'delete from limit_bucket',
    'drop table payment',
    'create table more ()',
    'create schema more',
  ])
    await assert.rejects(ledger.unsafe(statement), /permission denied|must be owner/, statement)
})

test('the roles of the production guide: the ledger belongs to the paid surface, and to no other public process', async () => {
  const guide = readFileSync(packagePath('docs/production.md'), 'utf8')
  const block = /```sql after-migrate\n(.*?)```/s.exec(guide)![1]!
  const owner = openPool('pay', { schema: SHARED_SCHEMA, url: bed.databaseUrl, max: 1 })
  const [api, pay] = [`api_${uniqueId()}`, `pay_${uniqueId()}`]
  try {
    await owner.unsafe(`create role ${api} login password 'x'; grant usage on schema astrolabe to ${api};
      grant select, insert, update, delete on all tables in schema astrolabe to ${api}`)
    await owner.unsafe(block.replaceAll('astrolabe_api', api).replaceAll('astrolabe_pay', pay))
    await buyAll(as(pay, 'change me as well'))
    await assertDenied(as(pay, 'change me as well'), [...ON_KEYS, 'drop table payment'])
    await assertDenied(as(api, 'x'), ["update payment set state = 'failed'", 'delete from payment_refund'])
  } finally {
    await owner.unsafe(`drop owned by ${api}, ${pay}; drop role ${api}, ${pay}`)
    await owner.end()
  }
})

function as(role: string, password: string): string {
  const url = new URL(bed.databaseUrl)
  url.username = role
  url.password = encodeURIComponent(password)
  return url.href
}

async function assertDenied(address: string, statements: string[]): Promise<void> {
  const sql = openPool('pay', { schema: SHARED_SCHEMA, url: address, max: 1 })
  try {
    for (const statement of statements) await assert.rejects(sql.unsafe(statement), /permission denied|must be owner/, statement)
  } finally {
    await sql.end()
  }
}
