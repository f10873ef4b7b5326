import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changePlan } from '../../src/store/access/accounts.ts'
import { listChanges } from '../../src/store/access/change-log.ts'
import { KeyRing } from '../../src/store/access/key-ring.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../src/store/access/keys.ts'
import { checkPepper } from '../../src/store/access/pepper.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { PEPPER, SECRETS } from './guarded-api.ts'

const HOUR = 3_600_000

describe('keys', () => {
  let sql: SqlPool
  before(async () => {
    sql = openPool('access', { url: await freshDatabase(), schema: SHARED_SCHEMA })
  })
  after(() => sql.end())

  const openRing = async (now = Date.now) => {
    const ring = new KeyRing(sql, SECRETS, { now })
    await ring.refresh()
    return ring
  }
  const client = (label: string) => createKey(sql, SECRETS, { role: 'client', plan: 'free', label })

  test('a key is shown once and stored only as its HMAC', async () => {
    const { id, text } = await client('stored')
    const dump = JSON.stringify(await sql`select t::text from api_key t`)
    assert.ok(dump.includes(id))
    assert.ok(!dump.includes(text.slice(11, 43)))
    const listed = (await listKeys(sql)).find((key) => key.id === id)!
    assert.equal(`${listed.prefix}…${listed.last4}`, `astro_live_…${text.slice(-4)}`)
    const ring = await openRing()
    const found = ring.find(text)
    assert.ok(typeof found !== 'string' && found.id === id && found.label === 'stored')
  })

  test('a key that was never made is unknown, and one with a wrong checksum is not even looked up', async () => {
    const { text } = await client('near')
    const ring = await openRing()
    assert.equal(ring.find(`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`), 'malformed')
    const { text: other } = await createKey(
      sql,
      { ...SECRETS, pepper: 'another pepper, thirty-two bytes!!!' },
      {
        role: 'client',
        plan: 'free',
        label: 'of another server',
      },
    )
    assert.equal(ring.find(other), 'unknown')
  })

  test('after a rotation both keys work until the time of grace is over', async () => {
    let now = Date.now()
    const old = await client('rotated')
    const made = await rotateKey(sql, SECRETS, old.id, HOUR)
    assert.equal(made.account, old.account)
    const ring = await openRing(() => now)
    assert.equal(typeof ring.find(old.text), 'object')
    assert.equal(typeof ring.find(made.text), 'object')
    now += HOUR + 1000
    assert.equal(ring.find(old.text), 'expired')
    assert.equal(typeof ring.find(made.text), 'object')
  })

  test('a rotation gives a key no longer life than it had', async () => {
    let now = Date.now()
    const expiresAt = new Date(now + 2 * HOUR)
    const trial = await createKey(sql, SECRETS, { role: 'client', plan: 'free', label: 'trial', expiresAt })
    const made = await rotateKey(sql, SECRETS, trial.id, 24 * HOUR)
    assert.deepEqual([made.expiresAt, made.oldExpiresAt], [expiresAt, expiresAt])
    const ring = await openRing(() => now)
    assert.equal(typeof ring.find(made.text), 'object')
    now += 2 * HOUR + 1000
    assert.equal(ring.find(made.text), 'expired')
    assert.equal(ring.find(trial.text), 'expired')
  })

  test('a rotation that cannot end the old key makes no new one', async () => {
    const { id, account } = await client('half')
    await sql.unsafe(`create function refuse_change() returns trigger language plpgsql as 'begin raise exception ''no''; end'`)
    await sql.unsafe(
      `create trigger half before update on api_key for each row when (old.label = 'half') execute function refuse_change()`,
    )
    await assert.rejects(rotateKey(sql, SECRETS, id, HOUR), /no/)
    assert.deepEqual(
      (await listKeys(sql)).filter((key) => key.account === account).map((key) => key.id),
      [id],
    )
  })

  test('a second key is for an account that exists', async () => {
    const { account } = await client('known')
    const second = { role: 'client', plan: 'free', label: 'second' } as const
    assert.equal((await createKey(sql, SECRETS, { ...second, account })).account, account)
    await assert.rejects(createKey(sql, SECRETS, { ...second, account: 'acc_mistyped' }), /no account acc_mistyped/)
  })

  test('a key has one successor, which can be rotated in turn', async () => {
    const first = await client('twice')
    const second = await rotateKey(sql, SECRETS, first.id, HOUR)
    await assert.rejects(rotateKey(sql, SECRETS, first.id, HOUR), new RegExp(`rotate its successor ${second.id}`))
    await rotateKey(sql, SECRETS, second.id, HOUR)
  })

  test('an account has 20 active keys at most, and keys of one role', async () => {
    const { account, id } = await client('many')
    const more = (role: 'client' | 'admin') => createKey(sql, SECRETS, { role, plan: 'free', label: 'more', account })
    for (let i = 1; i < 20; i++) await more('client')
    await assert.rejects(more('client'), /20 active keys/)
    await revokeKey(sql, id)
    await more('client')
    await assert.rejects(more('admin'), /keys of role client/)
  })

  test('every change is logged with its author, and a change that fails is not', async () => {
    const by = { kind: 'admin', name: 'someone' } as const
    const { account, id, text } = await createKey(sql, SECRETS, { role: 'client', plan: 'free', label: 'logged' }, by)
    const second = await rotateKey(sql, SECRETS, id, HOUR, by)
    await assert.rejects(rotateKey(sql, SECRETS, id, HOUR, by))
    await changePlan(sql, account, 'small', by)
    for (let i = 0; i < 2; i++) await revokeKey(sql, second.id, by)
    const changes = await listChanges(sql, { limit: 10, account })
    assert.deepEqual(
      changes.map(({ action, actor_kind, actor, key_id }) => [action, `${actor_kind} ${actor}`, key_id]),
      [
        ['revoke_key', 'admin someone', second.id],
        ['change_plan', 'admin someone', null],
        ['rotate_key', 'admin someone', id],
        ['create_key', 'admin someone', id],
      ],
    )
    assert.deepEqual(changes[1]?.details, { plan: 'small', before: 'free' })
    assert.ok(!JSON.stringify(changes).includes(text.slice(11, 43)))
    assert.deepEqual(
      (await listChanges(sql, { limit: 2, account, cursor: changes[1]!.number })).map(({ action }) => action),
      ['rotate_key', 'create_key'],
    )
  })

  test('two rotations at the same moment do not make three keys', async () => {
    const first = await client('raced')
    const results = await Promise.allSettled([rotateKey(sql, SECRETS, first.id, HOUR), rotateKey(sql, SECRETS, first.id, HOUR)])
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('a server hears of a revocation by itself, well within five seconds', async () => {
    const { id, text } = await client('revoked')
    const ring = new KeyRing(sql, SECRETS)
    await ring.start()
    assert.equal(typeof ring.find(text), 'object')
    const revokedAt = Date.now()
    await revokeKey(sql, id)
    while (ring.find(text) !== 'revoked') {
      assert.ok(Date.now() - revokedAt < 5000, 'still accepted')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ring.stop()
  })

  test('a server whose notices are lost still hears of it by looking', async () => {
    const { id, text } = await client('polled')
    const ring = new KeyRing(sql, SECRETS, { pollMs: 20 })
    await ring.start()
    // As an update by hand, without a notice.
    await sql`update api_key set revoked_at = now(), changed_at = clock_timestamp() where id = ${id}`
    const revokedAt = Date.now()
    while (ring.find(text) !== 'revoked') {
      assert.ok(Date.now() - revokedAt < 5000, 'still accepted')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ring.stop()
  })

  test('a server with another pepper does not start', async () => {
    await checkPepper(sql, PEPPER)
    await checkPepper(sql, PEPPER)
    await assert.rejects(checkPepper(sql, 'another pepper, thirty-two bytes!!!'), /another pepper/)
  })
})
