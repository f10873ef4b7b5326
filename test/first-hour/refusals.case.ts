import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { explainFailure } from '../../src/cli/terminal/explain.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { explainStart, startEmbedded } from '../../src/store/embedded/server.ts'
import { explainConnect } from '../../src/store/servers/reach.ts'
import { recording, writeConfig } from '../support/config-file.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'

const takePort = () =>
  new Promise<{ port: number; close: () => void }>((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as { port: number }).port, close: () => server.close() }),
    )
    server.unref()
  })

const COMMANDS = ['start', 'serve', 'status']

/** Each of the ways in which a database cannot be used, tried with the commands that are chosen for it. */
const testUnusableDatabase = (choose: (i: number) => readonly string[]): Promise<void> =>
  test('a database that cannot be used is one sentence', async () => {
    const dead = `127.0.0.1:${await freePort()}`
    const { host, port } = new URL(await freshDatabase())
    const cases: [url: string, sentence: RegExp][] = [
      [`postgres://who:secret@${dead}/x`, new RegExp(`no PostgreSQL answers at ${dead}: start it, or put DATABASE_URL right`)],
      [`postgres://nobody:secret@${host}/x`, new RegExp(`PostgreSQL at \\S+:${port} (does not let the role|has no database)`)],
      ['mysql://who:secret@localhost/x', /DATABASE_URL is no address of a PostgreSQL: postgres:/],
    ]
    for (const [i, [url, sentence]] of cases.entries())
      for (const command of choose(i)) {
        const { code, text } = await runCli([command, '--database', url, '--data', makeFolder()]).ended
        assert.equal(code, 1)
        assert.match(text, new RegExp(`^astrolabe: ${sentence.source}`, 'm'))
        assert.doesNotMatch(text, /secret|"level":60/)
      }
  })

/** Tests of the default run. */
export function testRefusals(): void {
  void testUnusableDatabase((i) => (i === 0 ? ['start'] : []))

  test('a wrong configuration is refused with every problem it has', async () => {
    const file = join(makeFolder(), 'config.json')
    writeFileSync(
      file,
      JSON.stringify({
        networks: [{ name: 'Main', kind: 'main', rpc: [], listen: { port: 70_000 } }],
        access: { trusted_proxies: 'all' },
        colour: 'red',
      }),
    )
    const { code, text } = await runCli(['start', '--config', file]).ended
    assert.equal(code, 1)
    assert.match(text, /^astrolabe: the configuration has \d+ problem\(s\):\n/)
    for (const place of ['networks[0].name', 'networks[0].rpc', 'networks[0].listen.port', 'access.trusted_proxies'])
      assert.ok(text.includes(`  - ${place}: `), `${place} in ${text}`)
    assert.match(text, /^ {2}- unknown setting "colour"$/m)
  })

  test('an option that does not exist is named, and help follows', async () => {
    const { code, text } = await runCli(['start', '--colour']).ended
    assert.equal(code, 1)
    assert.match(text, /^error: unknown option '--colour'/)
    assert.match(text, /--ready-file <file>/)
  })

  longTest('a data folder that cannot be written is named', async () => {
    // A file where the folder should be: refused to every user, root included.
    const file = join(makeFolder(), 'taken')
    writeFileSync(file, '')
    const { code, text } = await runCli(['start', '--no-paid', '--data', join(file, 'data')]).ended
    assert.equal(code, 1)
    assert.match(text, /^astrolabe: cannot create the data directory \S+taken\/data: .+$/m)
  })

  longTest('serve stays on the port it was given, and names the one that is taken', async () => {
    const { port, close } = await takePort()
    const config = writeConfig(makeFolder(), { networks: [{ ...recording('test-1'), listen: { port } }] })
    const url = await freshDatabase()
    const { code, text } = await runCli(['serve', '--config', config, '--database', url, '--data', makeFolder()]).ended
    assert.equal(code, 1)
    assert.match(
      text,
      new RegExp(`^astrolabe: port ${port} on 127.0.0.1 is taken: choose another one or stop what uses it$`, 'm'),
    )
    close()
  })

  longTest('data of another chain is refused, with both chains in the sentence, by start and by index', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'test-1', { until: 5 })
    const config = writeConfig(makeFolder(), {
      networks: [recording('test-2'), { ...recording('test-1'), name: 'other', kind: 'test' }],
    })
    const options = ['--config', config, '--database', url, '--data', makeFolder()]
    const both = await Promise.all([
      runCli(['start', '--no-paid', ...options]).ended,
      runCli(['index', '--once', ...options]).ended,
    ])
    for (const { code, text } of both) {
      assert.equal(code, 1)
      assert.match(text, /^astrolabe: this index holds chain astrolabe-test-1, the source serves astrolabe-test-2$/m)
    }
  })

  test('a node that cannot be reached is named and asked again, ever more slowly, until somebody stops it', async () => {
    const url = await freshDatabase()
    const dead = `127.0.0.1:${await freePort()}`
    const cli = runCli(['index', '--rpc', `http://${dead}`, '--database', url, '--data', makeFolder()], {
      env: { OBSERVABILITY_PORT: '0' },
    })
    const lines = (await cli.says(/(?:node failed.*?){3}\n/s)).split('\n').filter((line) => line.includes('node failed'))
    const [first, second, third] = lines.map((line) => JSON.parse(line) as { node: string; reason: string; time: number })
    assert.equal(first!.node, dead)
    assert.match(first!.reason, /refused|reach|connect/i)
    assert.ok(third!.time - first!.time >= 200, `asked again after ${third!.time - second!.time} ms`)
    cli.child.kill('SIGINT')
    assert.equal((await cli.ended).code, 0)
  })

  longTest('a recorder whose node cannot be reached says so while it waits', async () => {
    const dead = `127.0.0.1:${await freePort()}`
    const cli = runCli(['record', makeFolder(), '--rpc', `http://${dead}`, '--to', '3'])
    assert.match(await cli.says(/node failed/), new RegExp(dead))
    cli.child.kill('SIGINT')
    assert.equal((await cli.ended).code, 0)
  })

  longTest('an audit of what was never indexed is refused in a sentence', async () => {
    const config = writeConfig(makeFolder(), { networks: [{ ...recording('test-1'), name: 'other' }] })
    const options = ['--config', config, '--database', await freshDatabase(), '--data', makeFolder()]
    const { code, text } = await runCli(['audit', ...options]).ended
    assert.equal(code, 1)
    assert.match(text, /^astrolabe: network other has no tables yet: index it first$/m)
  })

  longTest('nodes that are all of another chain are refused, with both chains in the sentence', async (t) => {
    const node = await startReplayNode({ dir: packagePath('data/recordings/test-2') })
    t.after(() => node.close())
    const config = writeConfig(makeFolder(), { networks: [{ chain_id: 'celestia', rpc: [node.url] }] })
    const options = ['--config', config, '--database', await freshDatabase(), '--data', makeFolder()]
    const { code, text } = await runCli(['start', '--no-paid', ...options]).ended
    assert.equal(code, 1)
    assert.match(text, /^astrolabe: no node can be used any more \(\S+: the node is of chain astrolabe-test-2, not celestia\)$/m)
  })

  test('the reasons why the bundled PostgreSQL does not start become sentences with a way out', () => {
    const explain = (line: string) => explainStart(['starting', line], '/srv/postgres')
    assert.equal(
      explain('initdb: error: could not create directory "/srv/postgres/base": No space left on device'),
      'the disk of /srv/postgres is full: free some space or choose another folder with --data',
    )
    assert.equal(
      explain('initdb: error: cannot be run as root'),
      'PostgreSQL cannot run as root and no other user could be made: start astrolabe as a normal user',
    )
    assert.match(explain('could not access directory "/srv/postgres": Permission denied'), /--data, or open it \(chmod 755\)$/)
    assert.match(
      explain('FATAL:  lock file "postmaster.pid" already exists'),
      /^another PostgreSQL is running on \/srv\/postgres/,
    )
    assert.match(explain('FATAL:  something new'), /^the bundled PostgreSQL did not start on .*something new$/)
  })

  test('a database without the wanted name is named, and a full disk is told from a fault of the program', () => {
    const refusal = { code: '3D000', message: 'database "x" does not exist' }
    assert.equal(
      explainConnect(refusal, 'postgres://who:secret@db:5432/x'),
      'PostgreSQL at db:5432 has no database x: create it, or put DATABASE_URL right',
    )
    const full = Object.assign(new Error('could not extend file "base/5/1": No space left on device'), { code: '53100' })
    const outer = new Error('a batch was not written', { cause: full })
    assert.match(explainFailure(outer)!, /^the disk of the database is full: make room, or choose another folder with --data/)
    assert.match(explainFailure(Object.assign(new Error('write'), { code: 'ENOSPC' }))!, /^a disk is full/)
    assert.equal(explainFailure(new TypeError('x is undefined')), undefined)
  })

  longTest('a full disk is said once; indexing waits and continues as soon as there is room', async (t) => {
    const url = await freshDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    t.after(() => client.end())
    // A sequence counts what is rolled back too.
    await client.query(`create sequence ${SCHEMA}.tries;
    create function ${SCHEMA}.refuse() returns trigger language plpgsql as $$ begin
      perform nextval('${SCHEMA}.tries');
      raise exception 'could not extend file "base/5/1": No space left on device' using errcode = 'disk_full';
    end $$;
    create trigger refuse before insert on ${SCHEMA}.block for each statement execute function ${SCHEMA}.refuse()`)
    const config = writeConfig(makeFolder(), { networks: [recording('test-1')] })
    const cli = runCli(['index', '--config', config, '--database', url, '--data', makeFolder()], {
      env: { OBSERVABILITY_PORT: '0' },
    })
    await cli.says(/the disk of the database is full: indexing waits until there is room, nothing is lost/)
    const tries = async () => Number((await client.query(`select last_value from ${SCHEMA}.tries`)).rows[0].last_value)
    while ((await tries()) < 3) await systemClock.sleep(50)
    await client.query(`drop trigger refuse on ${SCHEMA}.block`)
    const text = await cli.says(/the disk has room again, indexing continues/)
    assert.equal(text.match(/is full/g)!.length, 1)
    cli.child.kill('SIGINT')
    assert.equal((await cli.ended).code, 0)
  })

  longTest('a schema that is newer than the program is refused', async () => {
    const url = await freshDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`insert into ${SCHEMA}.migration (version, name) values (9999, 'of the future')`)
    await client.end()
    const config = writeConfig(makeFolder(), { networks: [recording('test-1')] })
    const { code, text } = await runCli(['start', '--no-paid', '--config', config, '--database', url, '--data', makeFolder()])
      .ended
    assert.equal(code, 1)
    assert.match(text, /^astrolabe: schema net_main is at version 9999, this program knows \d+: use a newer program$/m)
  })

  test('a folder that the user of the bundled PostgreSQL cannot pass through is named', {
    skip: process.getuid?.() !== 0 && 'only root starts it as another user',
  }, async () => {
    const closed = mkdtempSync(join(tmpdir(), 'astrolabe-closed-'))
    const started = startEmbedded({ directory: join(closed, 'data'), ephemeral: true })
    await assert.rejects(started, { code: 'data_directory', message: new RegExp(`cannot pass through ${closed}:`) })
    rmSync(closed, { recursive: true })
  })
}

/** Tests of the long run. */
export function testRefusalsAtLength(): void {
  void testUnusableDatabase(() => COMMANDS)

  test('start moves away from taken ports, says where it went, and is there again at the next start', async () => {
    const url = await freshDatabase()
    const [network, operator, health] = await Promise.all([takePort(), takePort(), takePort()])
    const config = writeConfig(makeFolder(), {
      networks: [{ ...recording('test-1'), listen: { port: network.port } }],
      operator: { port: operator.port },
      observability: { port: health.port },
    })
    const options = ['--config', config, '--database', url, '--data', makeFolder(), '--no-paid']
    const started = async () => {
      // The port of the settings counts.
      const cli = runCli(['start', ...options], { env: { OBSERVABILITY_PORT: undefined } })
      const text = await cli.says(/Ctrl-C stops it/)
      cli.child.kill('SIGINT')
      assert.equal((await cli.ended).code, 0)
      return text
    }
    const first = await started()
    const [, moved] = new RegExp(`port ${network.port} was taken: main is on port (\\d+) instead`).exec(first)!
    assert.match(first, new RegExp(`port ${operator.port} was taken: the operator's API is on port \\d+ instead`))
    assert.match(first, new RegExp(`port ${health.port} was taken: health is on port \\d+ instead`))
    for (const { close } of [network, operator, health]) close()
    assert.match(await started(), new RegExp(`main is still on port ${moved}, .*port ${network.port} was taken`))
  })

  test('start serves and tells its addresses although no node answers, and says so', async () => {
    const url = await freshDatabase()
    const dead = `127.0.0.1:${await freePort()}`
    const config = writeConfig(makeFolder(), {
      networks: [{ rpc: [`http://${dead}`] }, { ...recording('test-1'), name: 'b', kind: 'test' }],
    })
    const cli = runCli(['start', '--config', config, '--database', url, '--data', makeFolder(), '--no-paid'])
    const text = await cli.says(/Ctrl-C stops it/)
    assert.ok(text.includes(`no node of main can be used: ${dead}. Asked again until one can`), text)
    assert.doesNotMatch(text, / of b can be used|b is still being indexed/)
    cli.child.kill('SIGINT')
    assert.equal((await cli.ended).code, 0)
  })
}
