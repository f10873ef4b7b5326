import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type LedgerDb, openLedgerDb } from '../../src/store/pay/db.ts'
import { openLedgerRole } from '../../src/store/pay/role.ts'
import { type Bed, makeBed } from './bed.ts'
import { mppClient } from './clients.ts'

let bed: Bed
let url: string
let ledger: LedgerDb
before(async () => {
  bed = await makeBed()
  url = await openLedgerRole(bed.databaseUrl)
  ledger = openLedgerDb({ url, max: 1 })
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
