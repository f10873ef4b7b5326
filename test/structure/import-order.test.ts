import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { findCycles, readSources } from './imports.ts'
import { readText } from './repository.ts'

const files = readSources('src')

/** The line of docs/architecture.md that states the order; folders between two arrows do not import each other. */
const [, order] = /^Import order: `([^`]+)`/m.exec(readText('docs/architecture.md'))!
const ranks = new Map(order!.split(' -> ').flatMap((rooms, rank) => rooms.split(', ').map((room) => [room, rank] as const)))

const roomOf = (path: string) => path.split('/')[1]!

test('every import that is found leads to a file', () => {
  const imports = files.flatMap(({ path, imports }) => imports.map((target) => ({ path, target })))
  assert.ok(imports.length > 1000, `${imports.length} imports`)
  const lost = imports.filter(({ target }) => !existsSync(packagePath(target)))
  assert.deepEqual(lost, [])
})

test('every folder of src has its place in the order, and no other has', () => {
  assert.deepEqual([...new Set(files.map(({ path }) => roomOf(path)))].sort(), [...ranks.keys()].sort())
})

test('a folder imports only from folders before it', () => {
  const wrong = files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => roomOf(path) !== roomOf(target))
      .filter((target) => !target.startsWith('src/') || !(ranks.get(roomOf(path))! > ranks.get(roomOf(target))!))
      .map((target) => `${path} -> ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('no files import each other in a circle, not even types', () => {
  for (const sources of [files, readSources('web'), readSources('bench')]) assert.deepEqual(findCycles(sources), [])
  const circle = [
    { path: 'a', imports: ['b', 'd'] },
    { path: 'b', imports: ['c'] },
    { path: 'c', imports: ['a'] },
    { path: 'd', imports: [] },
  ]
  assert.deepEqual(findCycles(circle), [['a', 'b', 'c', 'a']])
})

test('inside store, a folder imports only from folders before it', () => {
  const [, line] = /^Inside it the order is `([^`]+)`/m.exec(readText('docs/architecture.md'))!
  const order = line!.split(' -> ')
  const placeOf = (path: string) => order.indexOf(path.split('/')[2]!)
  const inside = files.filter(({ path }) => roomOf(path) === 'store')
  assert.deepEqual([...new Set(inside.map(({ path }) => path.split('/')[2]!))].sort(), [...order].sort())
  const wrong = inside.flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith('src/store/') && placeOf(target) > placeOf(path))
      .map((target) => `${path} -> ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('only store talks to the database', () => {
  const outside = files.filter(({ path }) => roomOf(path) !== 'store')
  const drivers = outside.filter(({ packages }) => packages.some((name) => ['pg', 'pg-copy-streams'].includes(name)))
  assert.deepEqual(
    drivers.map(({ path }) => path),
    [],
  )
  const statement =
    /['"`]\s*(?:select\s[^'"`]*\S|insert into\s|update\s+[\w"]+\s+set\s|delete from\s|(?:create|alter|drop)\s+(?:table|role|schema|index)\s|copy\s+[\w"]+\s|listen\s|with\s+[\w"]+\s+as\s*\()/
  assert.deepEqual(
    outside.filter(({ text }) => statement.test(text)).map(({ path, text }) => `${path}: ${statement.exec(text)?.[0]}`),
    [],
  )
})

test('bodies from outside are read through one function that bounds them', () => {
  // The client runs elsewhere, the simulation and the local payment chain are the outside, and the answer of a trace collector is not read.
  const own = files.filter(
    ({ path }) => !/^src\/(client|simulation|pay\/local-chain)\/|^src\/observability\/tracer\.ts$/.test(path),
  )
  const opensHttp = ({ text, packages }: (typeof own)[number]) =>
    /\b(await|return) fetch\(|new HTTPFacilitatorClient/.test(text) ||
    packages.includes('s3mini') ||
    (packages.includes('viem') && /\bhttp\(/.test(text))
  const bound = 'src/lib/read-bounded.ts'
  assert.deepEqual(
    own.filter((file) => opensHttp(file) && file.path !== bound && !file.imports.includes(bound)).map(({ path }) => path),
    [],
  )
  assert.ok(own.filter(({ imports }) => imports.includes(bound)).length >= 5)
})

test('what a client gets imports nothing of the service', () => {
  for (const { path, imports, packages } of files)
    if (path.startsWith('src/client/')) {
      assert.deepEqual(packages, [], path)
      for (const target of imports) assert.equal(roomOf(target), 'client', path)
    }
})
