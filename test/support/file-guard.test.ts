import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'astrolabe-guard-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Node's runner over files as test/run.ts starts it, with a limit that is soon over. */
async function runFiles(files: Record<string, string>): Promise<{ code: number | null; output: string }> {
  for (const [name, source] of Object.entries(files)) await writeFile(join(folder, name), source)
  const { NODE_TEST_CONTEXT: _own, ...env } = process.env
  const guard = packagePath('build/test/support/file-guard.js')
  const child = spawn(
    process.execPath,
    ['--import', guard, '--test', '--test-reporter=spec', ...Object.keys(files).map((name) => join(folder, name))],
    { env: { ...env, ASTROLABE_TEST_FILE_MS: '2000' } },
  )
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, code] = await Promise.all([text(child.stdout), ended])
  return { code, output }
}

test('a file that never ends is ended with a sentence and a failure, and the others run', async () => {
  const { code, output } = await runFiles({
    'a-hangs.test.mjs': `
      import { createServer } from 'node:net'
      import { after, test } from 'node:test'
      createServer().listen(0, '127.0.0.1')
      process.on('SIGTERM', () => {})
      setInterval(() => {}, 1000)
      after(() => new Promise(() => {}))
      test('is done', () => {})`,
    'b-spins.test.mjs': `
      import { test } from 'node:test'
      test('spins', () => { for (;;); })`,
    'c-ends.test.mjs': `
      import { test } from 'node:test'
      test('runs after them', () => {})`,
  })
  assert.equal(code, 1)
  assert.match(output, /a-hangs\.test\.mjs did not end within 2 s: process \d+ is ended/)
  assert.match(output, /still open: .*tcp \d+/)
  assert.match(output, /b-spins\.test\.mjs did not end within 2 s/)
  assert.match(output, /✔ runs after them/)
  assert.match(output, /pass 2\n/)
  assert.match(output, /fail 2\n/)
})
