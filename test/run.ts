/**
 * The test command: runs node's test runner over every test file, or those whose path contains one of the arguments. A PostgreSQL is
 * started only when one of the files needs it. `--unit` leaves those out; `--test-name-pattern` chooses tests by name.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { packagePath } from '../src/lib/package-path.ts'
import { withGroups } from './support/group-files.ts'
import { findNeeds, findTestFiles, isUnitTest, SERVER_VARIABLE } from './support/select-files.ts'

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    unit: { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
  },
})
const files = findTestFiles(filters).filter((file) => !values.unit || isUnitTest(file))
if (files.length === 0) {
  console.error(filters.length === 0 ? 'no test files found' : `no test file has ${filters.join(' or ')} in its path`)
  process.exit(1)
}

function runFiles(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const runner = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import',
      packagePath('build/test/support/file-guard.js'),
      '--test',
      `--test-concurrency=${availableParallelism() + 1}`,
      '--test-reporter=spec',
      ...values['test-name-pattern'].map((pattern) => `--test-name-pattern=${pattern}`),
      ...files,
    ],
    {
      cwd: packagePath(),
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { NODE_COMPILE_CACHE: packagePath('build/.compile-cache'), ...process.env, ...env },
    },
  )
  return new Promise((resolve) => runner.on('exit', (status) => resolve(status ?? 1)))
}

/** Who chooses files wants to see them one by one. */
const run = (env: NodeJS.ProcessEnv) =>
  filters.length > 0 ? runFiles(files, env) : withGroups(files, (all) => runFiles(all, env))

const { server, templates } = findNeeds(files)
if (!server) process.exit(await run({}))
// Loaded late: what starts a server is the larger part of the program.
const { withServer } = await import('./support/server.ts')
process.exit(await withServer({ templates }, (url) => run({ [SERVER_VARIABLE]: url })))
