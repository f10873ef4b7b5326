import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeKeySurface } from '../../src/client-generator/describe.ts'
import { COMMON_WORDS, GENERAL_WORDS } from '../../src/types/dictionary/dictionary.ts'
import { MODEL_WORDS } from '../../src/types/dictionary/service.ts'

type Schema = { properties?: Record<string, { description?: string }> }

const models = (describeKeySurface() as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas
const fields = Object.entries(models).flatMap(([model, { properties = {} }]) =>
  Object.entries(properties).map(([name, { description }]) => ({ model, name, description })),
)

test('every field of an answer has a description', () => {
  const undescribed = fields.filter(({ description }) => (description ?? '').length < 4)
  assert.deepEqual(
    undescribed.map(({ model, name }) => `${model}.${name}`),
    [],
  )
  assert.ok(fields.length > 900)
})

test('the dictionary describes nothing that is not there', () => {
  const names = new Set(fields.map(({ name }) => name))
  const ofModels = new Set(fields.map(({ model, name }) => `${model}.${name}`))
  assert.deepEqual(
    [...Object.keys(COMMON_WORDS), ...Object.keys(GENERAL_WORDS)].filter((name) => !names.has(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(MODEL_WORDS).filter((name) => !ofModels.has(name)),
    [],
  )
})
