/**
 * The test command: starts a PostgreSQL, migrates a template database, indexes the recorded main chain once, then runs node's test
 * runner over every test file (or those whose path contains one of the arguments).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../src/lib/package-path.ts'
import { startEmbedded } from '../src/store/embedded.ts'
import { prepareTemplates } from './support/templates.ts'

const filters = process.argv.slice(2)
const files = ['build/src', 'build/test']
  .flatMap((folder) => readdirSync(packagePath(folder), { recursive: true }).map((name) => join(folder, String(name))))
  .filter((name) => name.endsWith('.test.js') && (filters.length === 0 || filters.some((filter) => name.includes(filter))))
  .sort()
if (files.length === 0) {
  console.error('no test files found')
  process.exit(1)
}

const directory = mkdtempSync(join(tmpdir(), 'astrolabe-test-'))
const server = await startEmbedded({ directory, ephemeral: true })
let code = 1
try {
  await prepareTemplates(server.url)
  code = await new Promise<number>((resolve) => {
    const runner = spawn(
      process.execPath,
      [
        '--enable-source-maps',
        '--import',
        packagePath('build/test/support/file-guard.js'),
        '--test',
        '--test-concurrency=2',
        '--test-reporter=spec',
        ...files,
      ],
      {
        cwd: packagePath(),
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ASTROLABE_TEST_POSTGRES: server.url },
      },
    )
    runner.on('exit', (status) => resolve(status ?? 1))
  })
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(code)
