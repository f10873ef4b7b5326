import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSafeInteger, writeJson } from './write-json.ts'

test('markup is escaped, the meaning stays', () => {
  const value = { memo: '<script>&\u2028</script>', '<key>': ['&amp;'] }
  const text = writeJson(value)
  assert.doesNotMatch(text, /[<>&\u2028]/)
  assert.ok(text.includes('\\u003cscript\\u003e\\u0026'))
  assert.deepEqual(JSON.parse(text), value)
})

test('the text ends with a newline and can be indented', () => {
  assert.equal(writeJson({ a: 1 }), '{"a":1}\n')
  assert.equal(writeJson({ a: 1 }, true), '{\n  "a": 1\n}\n')
  assert.equal(writeJson('x'), '"x"\n')
  assert.equal(writeJson([]), '[]\n')
})

test('lone surrogates leave as escapes, not as broken UTF-8', () => {
  assert.equal(writeJson('\ud800'), '"\\ud800"\n')
})

test('a number that no JSON reader holds exactly becomes the largest one that is', () => {
  assert.equal(toSafeInteger('18446744073709551615'), 9007199254740991)
  assert.equal(toSafeInteger(5), 5)
})
