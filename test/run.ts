/**
 * The test command: runs node's test runner over every test file, or those whose path contains one of the arguments. A PostgreSQL is
 * started only when one of the files needs it. `--unit` leaves those out; `--long` runs the campaigns (`*.long.test.ts`, and files with
 * a `longTest`) instead of the other files; `--test-name-pattern` chooses tests by name.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { packagePath } from '../src/lib/package-path.ts'
import { withGroups } from './support/group-files.ts'
import { LONG_VARIABLE } from './support/long-test.ts'
import { findNeeds, findTestFiles, isUnitTest, SERVER_VARIABLE } from './support/select-files.ts'
import { endLeft, PROGRAMS_VARIABLE } from './support/started-programs.ts'

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    unit: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    'test-name-pattern': { type: 'string', multiple: true, default: [] },
  },
})
const files = findTestFiles(filters, values).filter((file) => !values.unit || isUnitTest(file))
if (files.length === 0) {
  const kind = values.long ? 'long test file' : 'test file'
  console.error(filters.length === 0 ? `no ${kind} found` : `no ${kind} has ${filters.join(' or ')} in its path`)
  if (!values.long && findTestFiles(filters, { long: true }).length > 0) console.error('campaigns of that name run with --long')
  process.exit(1)
}

/** Chosen files fail with lines of their sources. Reading the maps takes a tenth of the CPU of the whole run, which says which file to choose. */
const SOURCE_MAPS = filters.length > 0 || values.long ? ['--enable-source-maps'] : []

/** A campaign, and a group of files, may take longer than the slowest single file. */
const LONG_FILE_MS = 2_400_000

async function runFiles(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const programs = packagePath('build/test-programs', String(process.pid))
  const runner = spawn(
    process.execPath,
    [
      ...SOURCE_MAPS,
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
      env: {
        NODE_COMPILE_CACHE: packagePath('build/.compile-cache'),
        [PROGRAMS_VARIABLE]: programs,
        ...(filters.length === 0 && { ASTROLABE_TEST_FILE_MS: String(LONG_FILE_MS) }),
        ...(values.long && { ASTROLABE_TEST_FILE_MS: String(LONG_FILE_MS), [LONG_VARIABLE]: '1' }),
        ...process.env,
        ...env,
      },
    },
  )
  const status = await new Promise<number>((resolve) => runner.on('exit', (status) => resolve(status ?? 1)))
  const left = await endLeft(programs)
  if (left > 0) console.error(`${left} program(s) that tests had left running were ended`)
  return left > 0 ? 1 : status
}

/** Chosen files, and campaigns, are shown one by one. */
const run = (env: NodeJS.ProcessEnv) =>
  filters.length > 0 || values.long ? runFiles(files, env) : withGroups(files, (all) => runFiles(all, env))

const { server, templates } = findNeeds(files)
if (!server) process.exit(await run({}))
// Loaded late: what starts a server is the larger part of the program.
const { withServer } = await import('./support/server.ts')
process.exit(await withServer({ templates }, (url) => run({ [SERVER_VARIABLE]: url })))
