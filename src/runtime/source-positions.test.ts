import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { packagePath } from '../lib/package-path.ts'
import { showSourcePositions } from './source-positions.ts'

test('a stack trace names the line of the source', () => {
  const before = Error.prepareStackTrace
  showSourcePositions()
  try {
    const { stack } = new TypeError('where')
    const source = packagePath('src/runtime/source-positions.test.ts')
    const line =
      readFileSync(source, 'utf8')
        .split('\n')
        .findIndex((text) => text.includes("new TypeError('where')")) + 1
    assert.match(stack!, /^TypeError: where\n {4}at /)
    assert.ok(stack!.includes(`${source}:${line}:`), stack)
    assert.ok(stack!.split('\n').length > 2)
  } finally {
    Error.prepareStackTrace = before
  }
})

test('an error that cannot be shown as text still has a trace', () => {
  const before = Error.prepareStackTrace
  showSourcePositions()
  try {
    const error = new Error('hidden')
    error.toString = () => {
      throw new Error('no text')
    }
    assert.match(error.stack!, /^Error\n {4}at /)
  } finally {
    Error.prepareStackTrace = before
  }
})
