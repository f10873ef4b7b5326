import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { loadConfig } from '../../src/config/load.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { serverUrl } from '../support/database.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { createDatabase } from '../support/templates.ts'
import { blocksOf } from './markdown.ts'

const guide = readFileSync(packagePath('docs/production.md'), 'utf8')

test('the configuration of the guide is one', () => {
  const [block] = blocksOf(guide, 'json config')
  const file = join(makeFolder(), 'config.json')
  writeFileSync(file, block!)
  assert.deepEqual(
    loadConfig({ env: {}, file }).networks.map(({ name }) => name),
    ['main', 'mocha'],
  )
})

test('the units start commands that exist, with files that the guide names', () => {
  for (const name of ['astrolabe-index@', 'astrolabe-serve', 'astrolabe-pay', 'astrolabe-operator']) {
    const unit = readFileSync(packagePath('ops', `${name}.service`), 'utf8')
    assert.match(
      unit,
      /^ExecStart=\S+node( --max-semi-space-size=\d+)? \S+bin\/astrolabe\.cjs (index|serve|pay|operator) --config \/etc\/astrolabe\/config\.json( --network %i)?$/m,
    )
    for (const [, file] of unit.matchAll(/^EnvironmentFile=-?\/etc\/astrolabe\/(\S+)$/gm))
      assert.ok(guide.includes(`\`${file!.replace('%i', 'main')}\``), file)
  }
})

test('indexer, servers and paid surface run with the roles of the guide, and the public ones cannot touch the chain', async () => {
  const node = await startReplayNode({ dir: packagePath('data/recordings/test-1'), startHeight: 60 })
  const admin = await createDatabase(serverUrl, `production_${process.pid}`)
  const [sql] = blocksOf(guide, 'sql run')
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(sql!)
  const as = (role: string, password: string) => {
    const url = new URL(admin)
    url.username = role
    url.password = encodeURIComponent(password)
    return url.toString()
  }
  const [writer, api] = [as('astrolabe_index', 'change me'), as('astrolabe_api', 'change me too')]
  const folder = makeFolder()
  const config = join(folder, 'config.json')
  const main = { name: 'main', kind: 'main', rpc: [node.url], listen: { port: 0 } }
  writeFileSync(
    config,
    JSON.stringify({ networks: [main], observability: { port: 0 }, operator: { port: 0 }, paid: { port: 0 } }),
  )
  const env = { KEY_PEPPER: 'a pepper for the test of the guide', ASTROLABE_DATA: folder }
  const run = (url: string, ...args: string[]) => runCli([...args, '--config', config], { env: { ...env, DATABASE_URL: url } })

  assert.equal((await run(writer, 'migrate').ended).code, 0)
  const first = run(writer, 'index', '--network', 'main')
  const height = async () =>
    Number((await client.query('select last_height from net_main.head').catch(() => undefined))?.rows[0]?.last_height)
  while ((await height()) !== 60) await new Promise((resolve) => setTimeout(resolve, 100))
  const [standby, operator, serve, workers, pay] = [
    run(writer, 'index', '--network', 'main'),
    run(writer, 'operator'),
    run(api, 'serve'),
    run(api, 'serve', '--workers', '2'),
    run(api, 'pay', '--local-chain'),
  ]
  await standby.says(/another writer is at work, standing by/)
  const [, served] = /"address":"([^"]+)","msg":"serving"/.exec(await serve.says(/"msg":"serving"/))!
  await workers.says(/("msg":"serving"\}\s.*){2}/s)
  const [, paid] = /"address":"([^"]+)".*"msg":"serving the paid surface"/.exec(await pay.says(/serving the paid surface/))!
  assert.equal(((await (await fetch(`${served}/v1/head`)).json()) as { last_height: number }).last_height, 60)
  assert.equal((await fetch(`${paid}/v1/head`)).status, 402)
  const [, health] = /"address":"([^"]+)","msg":"health and metrics"/.exec(await pay.says(/health and metrics/))!
  const ready = await fetch(`${health}/readyz`)
  assert.equal(ready.status, 200)
  const { checks } = (await ready.json()) as { checks: Record<string, unknown> }
  assert.deepEqual(checks.ledger, { ok: true, undelivered: 0, pending: 0, claimed: 0, credit: 0 })
  await pay.says(/"network":"paid","method":"GET","route":"\/v1\/head","status":402,.*"msg":"request"/)

  const [, operatorApi] = /"address":"([^"]+)","msg":"serving the operator/.exec(
    await operator.says(/serving the operator's API/),
  )!
  const { text: made } = await run(writer, 'keys', 'create', '--label', 'ops', '--role', 'admin').ended
  const authorization = `Bearer ${/astro_live_\w+/.exec(made)![0]}`
  const unverified = async () => fetch(`${operatorApi}/v1/auth/rollup/unverified`, { headers: { authorization } })
  // A key is known within a moment of being made.
  while ((await unverified()).status === 401) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal((await unverified()).status, 200)

  const intruder = new pg.Client({ connectionString: api })
  await intruder.connect()
  await assert.rejects(intruder.query('update net_main.head set last_height = 0'), /permission denied/)
  await assert.rejects(intruder.query('create table net_main.mine ()'), /permission denied/)
  await intruder.end()

  first.child.kill('SIGTERM')
  assert.equal((await first.ended).code, 0)
  await standby.says(/the other writer is gone, this process writes now/)
  for (const { child } of [standby, operator, serve, workers, pay]) child.kill('SIGTERM')
  for (const { ended } of [standby, operator, serve, workers, pay]) assert.equal((await ended).code, 0)
  await client.end()
  await node.close()
})
