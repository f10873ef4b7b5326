import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './program.ts'
import { endLeft } from './started-programs.ts'

/** A test process that starts a program and is killed before the program ends. */
const KILLED = `
  import { runCli } from '${new URL('./program.js', import.meta.url).href}'
  const { child } = runCli(['replay', 'data/recordings/test-1', '--port', '0'], { cwd: process.cwd() })
  child.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'))`

test('the runner ends a program whose test was killed', async () => {
  const folder = join(makeFolder(), 'programs')
  const env = { ...process.env, ASTROLABE_TEST_PROGRAMS: folder }
  const child = spawn(process.execPath, ['--input-type=module', '-e', KILLED], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
  assert.equal(await endLeft(folder), 1)
  assert.equal(await endLeft(folder), 0)
})

test('a program that has ended is not counted', async () => {
  const folder = join(makeFolder(), 'programs')
  const child = spawn(process.execPath, ['-e', ''], { detached: true, stdio: 'ignore' })
  await once(child, 'exit')
  mkdirSync(folder)
  writeFileSync(join(folder, String(child.pid)), '')
  assert.equal(await endLeft(folder), 0)
})
