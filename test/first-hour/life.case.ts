import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../src/lib/clock.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { recording, writeConfig } from '../support/config-file.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder, type Program, runCli, runNpm } from '../support/program.ts'

const folder = makeFolder()
const data = join(folder, 'data')
const readyFile = join(folder, 'ready.json')
const config = writeConfig(folder, { networks: [recording('test-1')] })
const options = ['--config', config, '--data', data, '--no-paid']
const WELCOME = /Ctrl-C stops it/

type Ready = {
  networks: Record<string, { api: string; page: string; docs: string; websocket: string }>
  operator: { url: string }
  observability: { url: string }
}

const portOf = (url: string) => Number(new URL(url).port)

const start = (...more: string[]) => runCli(['start', ...options, ...more])
const serverPid = () => Number(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function stop(cli: Program): Promise<string> {
  cli.pressCtrlC()
  const { code, text } = await cli.ended
  assert.equal(code, 0, text)
  return text
}

const NOBODY = 65_534
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const program = packagePath('bin/astrolabe.cjs')
const canBeNobody =
  process.getuid?.() === 0 && spawnSync(asNobody[0]!, [...asNobody.slice(1), process.execPath, '--check', program]).status === 0

/** Tests of the default run. */
export function testLife(): void {
  test('start from nothing indexes, serves and tells all addresses; Ctrl-C ends it and its database', async () => {
    const cli = start('--ready-file', readyFile)
    const text = await cli.says(WELCOME)
    while (!existsSync(readyFile)) await systemClock.sleep(20)
    const { networks, operator, observability } = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready
    const { api, page, docs, websocket } = networks.main!
    for (const address of [api, page, docs, websocket]) assert.ok(text.includes(address), address)
    const head = (await (await fetch(`${api}/head`)).json()) as { last_height: number; chain_id: string }
    assert.deepEqual([head.last_height, head.chain_id], [158, 'astrolabe-test-1'])
    assert.equal((await fetch(docs)).status, 200)
    const listening = {
      networks: [{ ...recording('test-1'), listen: { port: portOf(page) } }],
      operator: { port: portOf(operator.url) },
      observability: { port: portOf(observability.url) },
      paid: { enabled: false },
    }
    const beside = await runCli(['doctor', '--config', writeConfig(makeFolder(), listening), '--data', data]).ended
    assert.match(beside.text, /^ok {3}port of main: \S+ is used by an Astrolabe that runs$/m)
    assert.doesNotMatch(beside.text, /^warn port/m, 'a server is no obstacle to itself')
    const pid = serverPid()
    assert.ok(isAlive(pid))
    const all = await stop(cli)
    assert.ok(!isAlive(pid), 'PostgreSQL is gone')
    assert.ok(!existsSync(join(data, 'postgres/postmaster.pid')))
    assert.doesNotMatch(all, /"level":[56]0|closing failed/)
  })

  longTest('the second start continues with what is there, and its data are not taken away while it runs', async (t) => {
    const startedAt = Date.now()
    const cli = start()
    await cli.says(WELCOME)
    t.diagnostic(`ready after ${Date.now() - startedAt} ms`)
    for (const refused of await Promise.all([start('--fresh').ended, start().ended])) {
      assert.equal(refused.code, 1)
      assert.match(refused.text, /^astrolabe: another astrolabe works with \S+data: stop it first, or choose another folder/m)
    }
    const status = await runCli(['status', '--json', '--config', config, '--data', data]).ended
    const [network] = JSON.parse(status.text).networks
    assert.deepEqual(
      [network.network, network.chain_id, network.height, network.node_height, network.lag_blocks],
      ['main', 'astrolabe-test-1', 158, 158, 0],
    )
    assert.ok(isAlive(serverPid()), 'a short command leaves the server running')
    await stop(cli)
  })
}

/** Tests of the long run. */
export function testLifeAtLength(): void {
  test('a signal to the pid of `npm start` ends the server and its database', async () => {
    const cli = runNpm(['start', '--', ...options])
    const [, api] = /API +(\S+)/.exec(await cli.says(WELCOME))!
    const pid = serverPid()
    cli.child.kill('SIGTERM')
    await cli.ended
    while (isAlive(pid)) await systemClock.sleep(20)
    await assert.rejects(fetch(`${api}/head`))
  })

  test('a bundled PostgreSQL that is killed is started again, and everything continues with it', async () => {
    const cli = start()
    const [, api] = /API +(\S+)/.exec(await cli.says(WELCOME))!
    const killed = serverPid()
    process.kill(killed, 'SIGKILL')
    await cli.says(/the bundled PostgreSQL ended unexpectedly: starting it again/)
    await cli.says(/the bundled PostgreSQL runs again/)
    assert.notEqual(serverPid(), killed)
    while ((await fetch(`${api}/head`)).status !== 200) await systemClock.sleep(50)
    await stop(cli)
  })

  test('a bundled PostgreSQL that was found running is started again too when it is killed', async () => {
    const first = start()
    await first.says(WELCOME)
    const left = serverPid()
    first.child.kill('SIGKILL')
    await first.ended
    const cli = start()
    const [, api] = /API +(\S+)/.exec(await cli.says(WELCOME))!
    assert.equal(serverPid(), left)
    process.kill(left, 'SIGKILL')
    await cli.says(/the bundled PostgreSQL ended unexpectedly: starting it again/)
    await cli.says(/the bundled PostgreSQL runs again/)
    assert.notEqual(serverPid(), left)
    while ((await fetch(`${api}/head`)).status !== 200) await systemClock.sleep(50)
    await stop(cli)
  })

  test('--fresh begins again, also after a run that was killed and left its database running', async () => {
    const killed = start()
    await killed.says(WELCOME)
    const orphan = serverPid()
    const mark = join(data, 'postgres/of-the-first-run')
    writeFileSync(mark, '')
    killed.child.kill('SIGKILL')
    const cli = start('--fresh')
    await cli.says(WELCOME)
    assert.ok(!existsSync(mark))
    assert.ok(!isAlive(orphan))
    await stop(cli)
  })

  test('a recording that plays its last blocks continues where it was stopped: its source is never behind the index', async () => {
    const place = makeFolder()
    const playing = writeConfig(place, { networks: [{ ...recording('test-1'), live_blocks: 30, live_interval_ms: 1 }] })
    const ready = join(place, 'ready.json')
    const play = (...more: string[]) =>
      runCli(['start', '--config', playing, '--data', join(place, 'data'), '--no-paid', ...more])
    const first = play('--ready-file', ready)
    await first.says(WELCOME)
    while (!existsSync(ready)) await systemClock.sleep(20)
    await stop(first)
    // The blocks would take minutes to come again.
    writeConfig(place, { networks: [{ ...recording('test-1'), live_blocks: 30, live_interval_ms: 60_000 }] })
    const second = play()
    const [, api] = /API +(\S+)/.exec(await second.says(WELCOME))!
    const { headers } = await fetch(`${api}/head`)
    assert.deepEqual([headers.get('x-indexed-height'), headers.get('x-node-height')], ['158', '158'])
    await stop(second)
  })

  // Whoever is no root runs all of the above as a normal user.
  if (canBeNobody)
    test('a normal user needs nothing that root has', async () => {
      const home = makeFolder()
      chownSync(home, NOBODY, NOBODY)
      const cli = runCli(['start', '--config', config, '--data', join(home, 'data'), '--no-paid'], {
        prefix: asNobody,
        env: { HOME: home },
      })
      await cli.says(WELCOME)
      assert.equal(statSync(join(home, 'data/postgres')).uid, NOBODY)
      await stop(cli)
    })
}
