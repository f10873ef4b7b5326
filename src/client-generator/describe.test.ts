import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { packagePath } from '../lib/package-path.ts'
import { describeKeySurface, listOperations } from './describe.ts'

type Part = { type?: string; format?: string } & Record<string, unknown>
type Operation = { operationId: string; parameters: { name: string; description?: string }[] }
type Document = { tags: { name: string; description?: string }[]; paths: Record<string, Record<string, Operation>> }

const document = describeKeySurface() as unknown as Document
const examples = JSON.parse(readFileSync(packagePath('data/examples.json'), 'utf8')) as Record<string, unknown>

/** All schemas inside a value, with the way to each. */
function* schemasIn(value: unknown, way = ''): Generator<[string, Part]> {
  if (typeof value !== 'object' || value === null) return
  if (typeof (value as Part).type === 'string') yield [way, value as Part]
  for (const [name, inner] of Object.entries(value)) yield* schemasIn(inner, `${way}/${name}`)
}

describe('the description of the key surface, for generators of clients', () => {
  test('every number says how wide it is, and ids have 64 bits', () => {
    const numbers = [...schemasIn(document)].filter(([, { type }]) => type === 'integer' || type === 'number')
    assert.ok(numbers.length > 300, `${numbers.length} numbers`)
    assert.deepEqual(
      numbers.filter(([, { format }]) => !['int32', 'int64', 'double'].includes(format ?? '')).map(([way]) => way),
      [],
    )
    const formats = new Map(numbers.map(([way, { format }]) => [way, format]))
    assert.equal(formats.get('/components/schemas/LightBlobLog/properties/id'), 'int64')
  })

  test('no two paths match one address', () => {
    const paths = Object.keys(document.paths).map((path) => path.split('/'))
    const isOpen = (part: string) => part.startsWith('{')
    const ambiguous = paths.flatMap((a, i) =>
      paths.slice(i + 1).flatMap((b) => {
        if (a.length !== b.length || a.some((part, k) => part !== b[k] && !isOpen(part) && !isOpen(b[k]!))) return []
        // One of them is more concrete wherever they differ: it wins.
        const [aOpen, bOpen] = [
          a.some((part, k) => isOpen(part) && !isOpen(b[k]!)),
          b.some((part, k) => isOpen(part) && !isOpen(a[k]!)),
        ]
        return aOpen === bOpen ? [`${a.join('/')} and ${b.join('/')}`] : []
      }),
    )
    assert.deepEqual(ambiguous, [])
  })

  test('every parameter is described', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    const silent = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    )
    assert.deepEqual(silent, [])
  })

  test('every group of operations is described', () => {
    assert.deepEqual(
      document.tags.filter(({ description }) => !description),
      [],
    )
  })

  test('every operation has an example that fits its schema', () => {
    const operations = listOperations()
    assert.deepEqual(Object.keys(examples).sort(), operations.map(({ operationId }) => operationId).sort())
    assert.doesNotMatch(JSON.stringify(examples), /astro_[a-z]+_\w{38}|whsec_[\w+/]{20}/, 'a key or secret that looks real')
    const broken = operations.filter(({ operationId, response }) => !Compile(response[200]).Check(examples[operationId]))
    assert.deepEqual(
      broken.map(({ operationId }) => operationId),
      [],
    )
  })
})
