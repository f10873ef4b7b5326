import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { recording, writeConfig } from '../support/config-file.ts'
import { serverUrl } from '../support/database.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { createDatabase } from '../support/templates.ts'

async function schemasOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select nspname::text as name from pg_namespace where nspname ~ '^(net_|astrolabe$)' order by 1`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}

test('a network with its own database has its tables there, and is part of the whole', async () => {
  const shared = await createDatabase(serverUrl, `shared_${process.pid}`)
  const own = await createDatabase(serverUrl, `own_${process.pid}`)
  const folder = makeFolder()
  const config = writeConfig(folder, {
    networks: [recording('test-1'), { name: 'other', kind: 'test', ...recording('test-2'), database: { url: own } }],
  })
  const env = { DATABASE_URL: shared, ASTROLABE_DATA: folder, LOG_LEVEL: 'warn' }
  const run = async (...args: string[]) => {
    const { code, text } = await runCli([...args, '--config', config], { env }).ended
    assert.equal(code, 0, text)
    return text
  }
  await Promise.all([run('index', '--network', 'main', '--until', '5'), run('index', '--network', 'other', '--until', '7')])
  const { networks } = JSON.parse(await run('status', '--json')) as { networks: { network: string; height: number }[] }
  assert.deepEqual(
    networks.map(({ network, height }) => [network, height]),
    [
      ['main', 5],
      ['other', 7],
    ],
  )
  assert.deepEqual(await schemasOf(shared), ['astrolabe', 'net_main'])
  assert.deepEqual(await schemasOf(own), ['astrolabe', 'net_other'])
})
