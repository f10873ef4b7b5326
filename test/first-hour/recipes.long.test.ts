/** Applies the recipes "An endpoint" and "A table" of CONTRIBUTING.md to a scratch copy of the repository. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'

/** Neither copied nor needed: packages and recordings are linked. */
const NOT_COPIED = new Set(['.git', '.astrolabe', 'node_modules', 'data'])

const scratch = mkdtempSync(join(tmpdir(), 'astrolabe-recipes-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

type Edit = { find: string; replace: string }

/** A table of the creations of security modules, written by the family that creates them. */
const TABLE: Record<string, string | Edit> = {
  'store/pack/append-only.ts': {
    find: '  zkism_update: copyTable({',
    replace:
      '  zkism_creation: copyTable({ columns: { height: int, id: int, time, ism_id: text } }),\n  zkism_update: copyTable({',
  },
  'store/write/zkism.ts': {
    find: '    if (isms.get(effect.ism)) return\n',
    replace: `    if (isms.get(effect.ism)) return
    input.rows.row('zkism_creation', { ...numbered(input, 'zkism_creation'), ism_id: effect.ism })
`,
  },
  'store/migrations/network/9000_zkism_creation.sql': `-- Written by the indexer, by COPY in the commit of the block. Read by the API.
-- Security modules in the order of their creation.
create table zkism_creation (
  height integer not null,
  id     bigint not null,
  time   timestamptz not null,
  -- as the chain names it
  ism_id text not null,
  primary key (height, id)
);
`,
}

/** A list of that table's rows, in a group of its own. */
const ENDPOINT: Record<string, string | Edit> = {
  'store/read/creation.ts': `import type { Reader } from '../db.ts'

export type CreationRow = { id: number; height: number; time: string; ism_id: string }

export function listCreations(sql: Reader, f: { limit: number; offset: number }): Promise<CreationRow[]> {
  return sql<CreationRow[]>\`
    select id, height, time, ism_id from zkism_creation order by id desc limit \${f.limit} offset \${f.offset}\`
}
`,
  'api/schema/creation.ts': `import { Integer, Model, Text, Time } from './values.ts'

export const Creation = Model('Creation', { id: Integer, height: Integer, time: Time, external_id: Text })
`,
  'api/view/creation.ts': `import type { Static } from 'typebox'
import type { CreationRow } from '../../store/read/creation.ts'
import type { Creation } from '../schema/creation.ts'

export const toCreation = ({ ism_id, ...row }: CreationRow): Static<typeof Creation> => ({ ...row, external_id: ism_id })
`,
  'api/routes/creation.ts': `import { Type } from 'typebox'
import { listCreations } from '../../store/read/creation.ts'
import type { RouteGroup } from '../route.ts'
import { Creation } from '../schema/creation.ts'
import { Paging } from '../schema/query.ts'
import { toCreation } from '../view/creation.ts'

export const creationRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/zkism-creations',
    {
      schema: {
        operationId: 'list-creations',
        summary: 'Security modules, newest first',
        notOnPage: 'the list of security modules shows the same rows',
        tags: ['hyperlane'],
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Creation) },
      },
    },
    async ({ query }) => (await listCreations(db, query)).map(toCreation),
  )
}
`,
  'api/routes/all.ts': {
    find: 'export const allRoutes: RouteGroup[] = [\n',
    replace: `import { creationRoutes } from './creation.ts'

export const allRoutes: RouteGroup[] = [
  creationRoutes,
`,
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

function apply(recipe: Record<string, string | Edit>): void {
  for (const [path, change] of Object.entries(recipe)) {
    const file = join(scratch, 'src', path)
    mkdirSync(dirname(file), { recursive: true })
    if (typeof change === 'string') {
      writeFileSync(file, change, { flag: 'wx' })
      continue
    }
    const text = readFileSync(file, 'utf8')
    assert.ok(text.includes(change.find), `${path} has the place that the recipe changes`)
    writeFileSync(file, text.replace(change.find, change.replace))
  }
}

const runThere = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: scratch, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

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
  assert.match(read('docs/schema.md'), /\*\*id\*\* bigint, time timestamptz, ism_id text\n {2}- `ism_id`: as the chain names it/)
  runThere(process.execPath, 'build/test/run.js', 'structure/page-operations')
})
