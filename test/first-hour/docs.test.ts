import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../../src/config/load.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { freshDatabase } from '../support/database.ts'
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

test('the README begins with the two commands, and its configuration is one', () => {
  const readme = readFileSync(packagePath('README.md'), 'utf8')
  const [run, , test] = allBlocks(readme)
  assert.deepEqual([run?.content, test?.content], ['npm ci && npm start\n', 'npm ci && npm test\n'])
  const [block] = blocksOf(readme, 'json config')
  const config = loadConfig({ env: {}, overrides: JSON.parse(block!) as Record<string, unknown> })
  assert.equal(config.networks[0]?.chain_id, 'celestia')
})

test('links between documents lead somewhere', () => {
  for (const document of documents) {
    const text = readFileSync(packagePath(document), 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target!.split('#')
      const path = file === '' ? document : join(dirname(document), file)
      assert.ok(existsSync(packagePath(path)), `${document} links to ${target}`)
      if (anchor !== undefined)
        assert.ok(anchorsOf(readFileSync(packagePath(path), 'utf8')).includes(anchor), `${document} links to ${target}`)
    }
  }
})
