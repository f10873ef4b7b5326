import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { readSources } from './imports.ts'

const files = (['src', 'web', 'bench'] as const).flatMap(readSources)

const MOST_LINES = 300
const MOST_FILES = 25

/** Files that are one list or one algorithm, and would be harder to read in parts. */
const LONGER = ['src/types/effects.ts']

test('a file has at most 300 lines', () => {
  const long = files.filter(({ text }) => text.split('\n').length - 1 > MOST_LINES).map(({ path }) => path)
  assert.deepEqual(long, LONGER)
})

test('a folder has at most 25 files beside tests', () => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  assert.deepEqual(
    [...counts].filter(([, count]) => count > MOST_FILES),
    [],
  )
})
