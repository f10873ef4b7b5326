import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { freshDatabase } from '../support/database.ts'
import { fewOf, longTest } from '../support/long-test.ts'
import { runCli } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'
import { openWriterSql } from '../support/writer-sql.ts'

describe('commands of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-commands-'))
  let url: string
  before(async () => {
    url = await freshDatabase('devnet')
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const astrolabe = (...words: string[]) => runCli([...words, '--database', url, '--data', folder]).ended

  test('keys are made, listed without their text, rotated and revoked', async () => {
    const made = await astrolabe('keys', 'create', '--label', 'Acme', '--plan', 'developer')
    assert.equal(made.code, 0, made.err)
    assert.match(made.out, /^astro_live_[0-9A-Za-z]{38}\n$/)
    const id = /^id (\w+), account (\w+)/.exec(made.err)![1]!
    const rotated = await astrolabe('keys', 'rotate', id, '--grace', '1')
    assert.equal(rotated.code, 0, rotated.err)
    assert.notEqual(rotated.out, made.out)
    assert.equal((await astrolabe('keys', 'revoke', id)).code, 0)
    const { out } = await astrolabe('keys', 'list', '--json')
    const keys = JSON.parse(out) as { label: string; plan: string; state: string; key: string }[]
    assert.deepEqual(
      keys.map(({ label, plan, state }) => [label, plan, state]),
      [
        ['Acme', 'developer', 'revoked'],
        ['Acme', 'developer', 'active'],
      ],
    )
    assert.ok(!out.includes(made.out.trim()) && !out.includes(rotated.out.trim()))
    const pepper = join(folder, 'key-pepper')
    assert.equal(statSync(pepper).mode & 0o777, 0o600)
    assert.ok(readFileSync(pepper, 'utf8').length >= 32)
  })

  longTest('a server refuses tables that are newer than itself', async () => {
    const sql = openWriterSql(url, SCHEMA)
    await sql`insert into migration (version, name) values (999, 'of tomorrow')`
    const { code, err } = await astrolabe('serve')
    await sql`delete from migration where version = 999`
    await sql.end()
    assert.equal(code, 1)
    assert.match(err, /schema net_main is at version 999, this program knows \d+: use a newer program/)
  })

  test('a plan, key or rollup that does not exist is named, with what to do', async () => {
    const cases = [
      [['keys', 'create', '--label', 'x', '--plan', 'gold'], /no plan gold: the configuration has free/],
      [['keys', 'revoke', 'nobody'], /no key nobody: `astrolabe keys list`/],
      [['rollups', 'verify', '99'], /no rollup 99 on main/],
      [['rollups', 'load', join(folder, 'nothing.json')], /cannot read rollups from/],
    ] as const
    await Promise.all(
      fewOf(cases, 1).map(async ([words, said]) => {
        const { code, err } = await astrolabe(...words)
        assert.equal(code, 1, words.join(' '))
        assert.match(err, said)
      }),
    )
  })

  test('the registry and the state of the networks can be read', async () => {
    assert.match((await astrolabe('rollups', 'list')).out, /^1 +forma-art +Forma Art +verified +2 +146$/m)
    const loaded = await astrolabe('rollups', 'load', packagePath('data/recordings/devnet/rollups.json'))
    assert.match(loaded.out, /^0 rollup\(s\) added to main$/m)
    const { out } = await astrolabe('status', '--json')
    const { networks } = JSON.parse(out) as { networks: { network: string; height: unknown }[] }
    assert.deepEqual(
      networks.map(({ network, height }) => [network, height]),
      [
        ['main', 403],
        ['test-1', null],
        ['test-2', null],
      ],
    )
  })
})
