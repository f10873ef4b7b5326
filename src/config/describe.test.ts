import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { packagePath } from '../lib/package-path.ts'
import { describeSettings, makeJsonSchema } from './describe.ts'

test('the committed schema of the configuration is that of the program (`npm run gen`)', () => {
  const schema = JSON.parse(readFileSync(packagePath('docs/config.schema.json'), 'utf8')) as unknown
  assert.deepEqual(schema, JSON.parse(JSON.stringify(makeJsonSchema())))
})

test('every setting says what it is for', () => {
  for (const line of describeSettings().split('\n').slice(2, -1)) assert.match(line, /\| [^|]+[a-z][^|]* \|$/, line)
})
