import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { listTexts, readText } from './repository.ts'

/** This file names what must not be cited. */
const texts = listTexts()
  .filter((path) => basename(path) !== 'citations.test.ts')
  .map((path) => ({ path, text: readText(path) }))

const numbersOf = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, number]) => number!))

/** Every match of a pattern with where it stands. */
const matchesOf = (pattern: RegExp) =>
  texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ path, match, line: lineOf(text, match.index) })),
  )

const lineOf = (text: string, at: number) => text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at))

test('every document that is cited exists', () => {
  const places = (path: string, cited: string) => [cited, join(dirname(path), cited), join('docs', cited)]
  const missing = matchesOf(/(?<![\w./:*<>{}$-])(?:\.{1,2}\/)*[A-Za-z][\w/-]*\.md\b/g)
    .filter(({ path, match: [cited] }) => !places(path, cited).some((place) => existsSync(packagePath(place))))
    .map(({ path, match: [cited] }) => `${path}: ${cited}`)
  assert.deepEqual(missing, [])
})

test('every file of ours that is named by its whole path exists', () => {
  const pattern = /(?<![\w./:@*-])(?:src|test|bench|scripts|docs|examples|ops|data)\/[\w./-]*\w\.(?:ts|mjs|md|json|yml|sql)\b/g
  const missing = matchesOf(pattern)
    .filter(({ path, match: [cited] }) => ![cited, join(dirname(path), cited)].some((place) => existsSync(packagePath(place))))
    .map(({ path, match: [cited] }) => `${path}: ${cited}`)
  assert.deepEqual(missing, [])
})

test('every compiled module that a script or a trial loads has a source', () => {
  const loaded = matchesOf(/\bbuilt\('([\w./-]+)\.js'\)/g)
  assert.ok(loaded.length > 10)
  assert.deepEqual(
    loaded.filter(({ match }) => !existsSync(packagePath(`${match[1]}.ts`))).map(({ path, match }) => `${path}: ${match[1]}`),
    [],
  )
})

test('every rule that is cited is in docs/rules.md, under its own number', () => {
  const rules = readText('docs/rules.md')
  const headings = [...rules.matchAll(/^### R(\d+)\. /gm)].map(([, number]) => number!)
  const known = new Set(headings)
  assert.equal(known.size, headings.length, 'a number is used twice')
  const cited = matchesOf(/\bR(\d+)\b/g).filter(({ path, line }) => line.includes('rules.md') || path === 'docs/rules.md')
  assert.ok(cited.length > headings.length)
  assert.deepEqual(
    cited.filter(({ match }) => !known.has(match[1]!)).map(({ path, line }) => `${path}: ${line.trim()}`),
    [],
  )
  for (const entry of rules.split(/^##.*? (?=R\d+\. )/m).slice(1)) assert.match(entry, /\n\*Reason:\* /)
})

test('every invariant that is cited is in docs/invariants.md', () => {
  const known = numbersOf(readText('docs/invariants.md'), /^\| I(\d+) \|/gm)
  const cited = matchesOf(/\bI([1-9]|1\d)\b/g)
  assert.ok(cited.length > known.size)
  assert.deepEqual(
    cited.filter(({ match }) => !known.has(match[1]!)).map(({ path, line }) => `${path}: ${line.trim()}`),
    [],
  )
})

test('nothing is cited that a reader of the repository does not have', () => {
  const absent =
    /semantics\.md|semantics §?\d|reliability\.md|chain-facts|chain-proto|\bspec\.md|key-api\.json|\brulings?\b|\bissue #?\d/g
  assert.deepEqual(
    matchesOf(absent).map(({ path, line }) => `${path}: ${line.trim()}`),
    [],
  )
  // Sections of documents from elsewhere are fine when the document says which one it is.
  assert.deepEqual(
    matchesOf(/(?<!RFC \d{3,5} )§/g).map(({ path, line }) => `${path}: ${line.trim()}`),
    [],
  )
})
