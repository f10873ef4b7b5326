import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { freshDatabase } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { systemClock } from '../../lib/clock.ts'
import { connectClient } from '../servers/connect.ts'
import { openHeadAnnouncer } from './source-head.ts'
import { Writer } from './writer.ts'

let url: string
let admin: pg.Client
before(async () => {
  url = await freshDatabase()
  admin = await connectClient(url, {}, `set search_path to ${SCHEMA}`)
})
after(() => admin.end())

const listOpen = async (): Promise<string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    'select application_name as name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return rows.map(({ name }) => name)
}

/** A server ends a connection a little after its client has. */
async function assertNoneOpen(): Promise<void> {
  for (let tries = 40; tries > 0 && (await listOpen()).length > 0; tries--) await systemClock.sleep(50)
  assert.deepEqual(await listOpen(), [])
}

test('a writer that cannot load the state keeps no connection', async () => {
  await admin.query('alter table validator rename to elsewhere')
  const { signal } = new AbortController()
  await assert.rejects(Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal), /validator/)
  await assertNoneOpen()
  await admin.query('alter table elsewhere rename to validator')
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
  assert.equal((await listOpen()).length, 3)
  await writer.close()
  await assertNoneOpen()
})

test('a head that is heard of after the end is not announced', async () => {
  const announcer = openHeadAnnouncer({ url, schema: SCHEMA })
  await announcer.announce({ height: 7, time: '2026-01-01T00:00:00Z' })
  await announcer.close()
  await announcer.announce({ height: 8, time: '2026-01-01T00:00:01Z' })
  const { rows } = await admin.query<{ height: string }>('select height::text as height from source_head')
  assert.deepEqual(rows, [{ height: '7' }])
  await assertNoneOpen()
})
