import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../../src/config/load.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { freshDatabase } from '../support/database.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { allBlocks, blocksOf } from './markdown.ts'

test('the committed documents are what the program says about itself (`npm run gen`)', async () => {
  const { makeDocs } = (await import(pathToFileURL(packagePath('scripts/gen-docs.mjs')).href)) as {
    makeDocs: (databaseUrl: string) => Promise<Record<string, string>>
  }
  const docs = await makeDocs(await freshDatabase())
  assert.ok(docs['docs/operations.md']!.includes('| `database.url` | text |'))
  for (const [path, text] of Object.entries(docs)) assert.equal(readFileSync(packagePath(path), 'utf8'), text, path)
})

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync(packagePath('docs'), { recursive: true }).map((name) => join('docs', String(name))),
]
  .filter((name) => name.endsWith('.md'))
  .concat(['examples/README.md'].filter((name) => existsSync(packagePath(name))))

/** As GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function linksOf(document: string) {
  const text = readFileSync(packagePath(document), 'utf8')
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target]) => {
    const [file = '', anchor] = target!.split('#')
    return { target, path: file === '' ? document : join(dirname(document), file), anchor }
  })
}

const readme = readFileSync(packagePath('README.md'), 'utf8')

test('the README fits on one screen and begins with the two commands', () => {
  const lines = readme.trimEnd().split('\n')
  assert.ok(lines.length <= 60, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((line) => line.length > 120),
    [],
  )
  assert.equal(allBlocks(readme)[0]?.content, 'npm ci && npm start\nnpm ci && npm test\n')
})

test('the settings of the README are valid, and its commands take them', async () => {
  const [settings] = blocksOf(readme, 'json config')
  const [, commands] = blocksOf(readme, 'sh')
  const { networks } = loadConfig({ env: {}, overrides: JSON.parse(settings!) as Record<string, unknown> })
  assert.equal(networks[0]?.chain_id, 'celestia')
  const folder = makeFolder()
  const file = join(folder, 'celestia.json')
  writeFileSync(file, settings!)
  const [check, start] = commands!
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replace(/^npm run astrolabe -- |^npm (?=start)/, '')
        .replace('celestia.json', file)
        .split(' '),
    )
  const env = { ASTROLABE_DATA: join(folder, 'data'), DATABASE_URL: await freshDatabase() }
  const { text } = await runCli(check!, { env }).ended
  assert.match(text, /^ok +configuration: networks main$/m)
  assert.match(text, /main.*127\.0\.0\.1:26657/)
  const { text: help } = await runCli(['start', '--help'], { env }).ended
  assert.equal(start![0], 'start')
  for (const flag of start!.filter((word) => /^--./.test(word))) assert.ok(help.includes(flag), flag)
})

test('package, lock file, chart and changelog are of the same release', () => {
  const read = (path: string) => readFileSync(packagePath(path), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }
  assert.equal((JSON.parse(read('package-lock.json')) as { version: string }).version, version)
  assert.match(read('ops/helm/astrolabe/Chart.yaml'), new RegExp(`^version: ${version}\\nappVersion: "${version}"$`, 'm'))
  assert.equal(/^## (\d\S+)/m.exec(read('CHANGELOG.md'))?.[1], version)
})

test('every document can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const document of reached) for (const { path } of linksOf(document)) if (path.endsWith('.md')) reached.add(path)
  assert.deepEqual(
    documents.filter((document) => !reached.has(document)),
    [],
  )
})

test('every bench that a document names can be run', () => {
  const benches = readFileSync(packagePath('bench/main.ts'), 'utf8')
  const known = new Set([...benches.matchAll(/^ {2}'?([\w-]+)'?: \(\) => import/gm)].map(([, name]) => name!))
  const named = documents
    .filter((document) => document !== 'CHANGELOG.md')
    .flatMap((document) =>
      [...readFileSync(packagePath(document), 'utf8').matchAll(/bench -- ([a-z][\w-]*)/g)].map(([, name]) => name!),
    )
  assert.ok(named.length > known.size)
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  )
})

test('links between documents lead somewhere', () => {
  for (const document of documents)
    for (const { target, path, anchor } of linksOf(document)) {
      assert.ok(existsSync(packagePath(path)), `${document} links to ${target}`)
      if (anchor !== undefined)
        assert.ok(anchorsOf(readFileSync(packagePath(path), 'utf8')).includes(anchor), `${document} links to ${target}`)
    }
})
