import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARRAY_TYPES, splitArray } from './sql-arrays.ts'

test('items of a list are found whatever they hold', () => {
  assert.deepEqual(splitArray('{}'), [])
  assert.deepEqual(splitArray('{1,22,NULL}'), ['1', '22', null])
  assert.deepEqual(splitArray('{a,"b, \\"c\\"","","\\\\","NULL","x\ny"}'), ['a', 'b, "c"', '', '\\', 'NULL', 'x\ny'])
})

test('what is written is read again', () => {
  const words = ['', 'a', 'NULL', 'b,c', '"', '\\', '{}', 'ü\n', ' ']
  assert.deepEqual(ARRAY_TYPES.texts.parse(ARRAY_TYPES.texts.serialize(words)), words)
  assert.deepEqual(ARRAY_TYPES.bigints.parse(ARRAY_TYPES.bigints.serialize([1, null, -(2 ** 52)])), [1, null, -(2 ** 52)])
  const bytes = [Buffer.from('00ff', 'hex'), Buffer.alloc(0)]
  assert.deepEqual(ARRAY_TYPES.bytes.parse(ARRAY_TYPES.bytes.serialize(bytes)), bytes)
})
