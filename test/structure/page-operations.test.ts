import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listOperations } from '../../src/client-generator/describe.ts'
import { toMethodName } from '../../src/client-generator/write-operations.ts'
import { packagePath } from '../../src/lib/package-path.ts'

const operations = listOperations().map(({ operationId, notOnPage }) => ({ name: toMethodName(operationId), notOnPage }))

const source = readdirSync(packagePath('web', 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  .join('\n')

const isUsed = (name: string) => new RegExp(`api\\.${name}\\b|operation(=|: )["']${name}["']`).test(source)

test('every operation of the API is used by a view, or its route says why not', () => {
  assert.ok(operations.length > 100, `${operations.length} operations`)
  const unexplained = operations.filter(({ name, notOnPage }) => !isUsed(name) && notOnPage === undefined)
  assert.deepEqual(unexplained, [])
})

test('no view uses an operation whose route says that none does', () => {
  const used = operations.filter(({ name, notOnPage }) => isUsed(name) && notOnPage !== undefined)
  assert.deepEqual(used, [])
})
