/** Applies the recipes "An endpoint" and "A table" of CONTRIBUTING.md to a scratch copy of the repository. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'

/** Packages and recordings are linked; the rest is not needed. */
const NOT_COPIED = new Set(['.git', '.astrolabe', 'node_modules', 'data'])

const scratch = mkdtempSync(join(tmpdir(), 'astrolabe-recipes-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** A new file, whose text is in test/fixtures/recipes under the same path. */
const FIXTURE = Symbol('fixture')
/** Files below `src` that a recipe writes. */
type Recipe = Record<string, typeof FIXTURE | { find: string; replace: string }>

/** A table of the creations of security modules, written by the family that creates them. */
const TABLE: Recipe = {
  'store/pack/append-only.ts': {
    find: '  zkism_update: copyTable({',
    replace:
      '  zkism_creation: copyTable({ columns: { height: int, id: int, time, ism_id: text } }),\n  zkism_update: copyTable({',
  },
  'store/families/zkism.ts': {
    find: '    if (isms.get(effect.ism)) return\n',
    replace: `    if (isms.get(effect.ism)) return
    input.rows.row('zkism_creation', { ...numbered(input, 'zkism_creation'), ism_id: effect.ism })
`,
  },
  'store/migrations/network/9000_zkism_creation.sql': FIXTURE,
}

/** A list of that table's rows, in its own group. */
const ENDPOINT: Recipe = {
  'store/read/creation.ts': FIXTURE,
  'api/schema/creation.ts': FIXTURE,
  'api/view/creation.ts': FIXTURE,
  'api/routes/creation.ts': FIXTURE,
  'api/routes/all.ts': {
    find: 'export const allRoutes: RouteGroup[] = [\n',
    replace: "import { creationRoutes } from './creation.ts'\n\nexport const allRoutes: RouteGroup[] = [\n  creationRoutes,\n",
  },
}

/** Files that a section of CONTRIBUTING.md tells to write by hand, with the names of this test for its placeholders. */
function filesOf(section: string, names: Record<string, string>): string[] {
  const text = readFileSync(packagePath('CONTRIBUTING.md'), 'utf8')
  const [, body] = text.split(`### ${section}\n`)
  const [recipe] = body!.split(/^##/m)
  const files = [...recipe!.matchAll(/^(?:\d\.|A new group).*?`src\/([^`]+)`/gm)].map(([, path]) => path!)
  return files.map((path) => path.replace(/<(\w+)>/g, (_, name: string) => names[name]!))
}

function apply(recipe: Recipe): void {
  for (const [path, change] of Object.entries(recipe)) {
    const file = join(scratch, 'src', path)
    mkdirSync(dirname(file), { recursive: true })
    if (change === FIXTURE) {
      cpSync(packagePath('test/fixtures/recipes', `${path}.txt`), file, { errorOnExist: true, force: false })
      continue
    }
    const text = readFileSync(file, 'utf8')
    assert.ok(text.includes(change.find), `${path} has the place that the recipe changes`)
    writeFileSync(file, text.replace(change.find, change.replace))
  }
}

/** The variable tells a test runner that it is part of another run; it would report to that one. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env

const runThere = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: scratch, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

test('the recipes name every file that this test writes', () => {
  assert.deepEqual(filesOf('An endpoint', { group: 'creation' }), Object.keys(ENDPOINT))
  assert.deepEqual(filesOf('A table', { family: 'zkism', number: '9000', subject: 'zkism_creation' }), Object.keys(TABLE))
})

test('a table and an endpoint made by the recipes are generated, compiled and described', () => {
  for (const name of readdirSync(packagePath()))
    if (!NOT_COPIED.has(name)) cpSync(packagePath(name), join(scratch, name), { recursive: true, preserveTimestamps: true })
  for (const name of ['node_modules', 'data']) symlinkSync(packagePath(name), join(scratch, name))
  // Neither recipe changes a message definition.
  writeFileSync(join(scratch, 'build/.codecs'), '')
  apply(TABLE)
  apply(ENDPOINT)

  runThere('npm', 'run', '--silent', 'gen')
  runThere(process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')

  const read = (path: string) => readFileSync(join(scratch, path), 'utf8')
  assert.match(read('src/client/gen/operations.ts'), /listCreations/)
  assert.match(
    read('docs/schema.md'),
    /### zkism_creation\n\nSecurity modules in the order of their creation\. Written by the indexer/,
  )
  assert.match(
    read('docs/schema.md'),
    /\*\*id\*\* bigint, time timestamptz, ism_id text\n(?: {2}- .*\n)* {2}- `ism_id`: as the chain names it/,
  )
  assert.match(runThere(process.execPath, 'build/test/run.js', 'structure/page-operations'), /^ℹ pass 2$/m)
})
