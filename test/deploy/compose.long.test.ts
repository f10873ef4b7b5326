import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { packagePath } from '../../src/lib/package-path.ts'
import { serverUrl } from '../support/database.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { createDatabase } from '../support/templates.ts'
import { readComposeServices, readRolesSql } from './compose-file.ts'

/** Roles belong to the whole server, which other tests use too. */
const PREFIX = `compose_${process.pid}`
const PASSWORDS = { INDEX_PASSWORD: 'index password', API_PASSWORD: 'api password' }

/** The database of service `postgres` after its first start. */
async function preparePostgres(t: TestContext): Promise<{ url: string; client: pg.Client }> {
  const url = await createDatabase(serverUrl, PREFIX)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  const sql = readRolesSql()
    .replaceAll('astrolabe_', `${PREFIX}_`)
    .replaceAll(":'index_password'", `'${PASSWORDS.INDEX_PASSWORD}'`)
    .replaceAll(":'api_password'", `'${PASSWORDS.API_PASSWORD}'`)
  await client.query(sql)
  return { url, client }
}

/** A variable of compose.yaml as this machine needs it: another address, the names and passwords of this test. */
function fill(value: string, server: string, config: string): string {
  if (value.startsWith('postgres://')) {
    const url = new URL(server)
    const { username } = new URL(value.replace(/:\$\{\w+\}@/, '@'))
    url.username = username.replace('astrolabe_', `${PREFIX}_`)
    url.password = username === 'astrolabe_index' ? PASSWORDS.INDEX_PASSWORD : PASSWORDS.API_PASSWORD
    return url.toString()
  }
  return value === '/etc/astrolabe/config.json'
    ? config
    : value.replace(/\$\{KEY_PEPPER:.*\}/, 'a pepper of at least 32 characters for the compose test')
}

test('the services of compose.yaml index a chain, serve it with its page, and continue after a stop', async (t) => {
  const services = readComposeServices()
  const { url, client } = await preparePostgres(t)
  const folder = makeFolder()
  const config = join(folder, 'config.json')
  const start = (name: string) => {
    const { command, environment } = services.get(name)!
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value, url, config)]))
    return runCli(command, { env: { ...env, ASTROLABE_DATA: folder, OBSERVABILITY_PORT: '0' } })
  }
  const migrate = async () => {
    const { code, text } = await start('migrate').ended
    assert.equal(code, 0, text)
  }
  const [, recording = ''] = services.get('node')!.command
  const changes: Record<string, string> = { '0.0.0.0': '127.0.0.1', [recording]: packagePath(recording) }
  // The port of the file may be taken here, and fewer blocks are enough.
  const command = services.get('node')!.command.map((word) => changes[word] ?? word)
  const replay = runCli([...command, '--port', '0', '--start', '30'])
  const [, rpc] = /on (http:\S+), height 30/.exec(await replay.says(/height 30/))!
  const document = JSON.parse(
    readFileSync(packagePath('ops/compose/config.json'), 'utf8')
      .replaceAll('0.0.0.0', '127.0.0.1')
      .replace('"port": 9876', '"port": 0')
      .replace('http://node:26657', rpc!),
  ) as object
  writeFileSync(config, JSON.stringify(document))

  await migrate()
  const [index, serve] = [start('index'), start('serve')]
  const [, address] = /"address":"([^"]+)","msg":"serving"/.exec(await serve.says(/"msg":"serving"/))!
  const height = async () => {
    const answer = await fetch(`${address}/v1/head`)
    return answer.status === 200 ? ((await answer.json()) as { last_height: number }).last_height : 0
  }
  while ((await height()) <= 30) await sleep(100)
  const page = await fetch(`${address}/`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<title>/)

  for (const { child } of [index, serve]) child.kill('SIGTERM')
  for (const { ended } of [index, serve]) assert.equal((await ended).code, 0)
  const { rows } = await client.query('select last_height from net_main.head')
  const stoppedAt = Number(rows[0].last_height)

  // An upgrade: the new image migrates first, then its services take over where the old ones stopped.
  await migrate()
  const again = start('index')
  const reached = async () => Number((await client.query('select last_height from net_main.head')).rows[0].last_height)
  while ((await reached()) <= stoppedAt) await sleep(100)
  for (const { child, ended } of [again, replay]) {
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  }
})
