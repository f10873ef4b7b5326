import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { openLedgerRole } from '../../src/store/pay/role.ts'
import { type Bed, makeBed, uniqueId } from './bed.ts'
import { mppClient } from './clients.ts'

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

test('the role of the ledger is enough to sell, also after a second start', async () => {
  assert.equal(await openLedgerRole(bed.databaseUrl), url)
  const server = await bed.serve({ databaseUrl: url })
  assert.equal((await mppClient(server.settings).fetch(`${server.url}/v1/head`)).status, 200)
  const [row] = await ledger<{ role: string; payments: number }[]>`select current_user as role, count(*) as payments from payment`
  assert.deepEqual({ ...row }, { role: 'astrolabe_pay', payments: 1 })
})

test('it reaches nothing but the ledger', async () => {
  for (const statement of [
    'select from api_key',
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
    const server = await bed.serve({ databaseUrl: as(pay, 'change me as well') })
    assert.equal((await mppClient(server.settings).fetch(`${server.url}/v1/head`)).status, 200)
    await server.close()
    await assertDenied(as(pay, 'change me as well'), ['select from api_key', 'drop table payment'])
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
