import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzBodies } from './hostile-bodies.ts'

/** A seed that found something is added and stays. */
for (const seed of [1, ...(process.env.SEED ? [Number(process.env.SEED)] : [])])
  test(`hostile bodies are taken or refused, never 5xx (SEED=${seed})`, async () => {
    const { refused } = await fuzzBodies({ seed, cases: 60 })
    assert.ok(refused > 20, `${refused} refused`)
  })
