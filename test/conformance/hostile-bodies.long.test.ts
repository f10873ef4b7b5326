import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzBodies } from './hostile-bodies.ts'

/** The campaign of `hostile-bodies.test.ts`: another seed each time, unless SEED names one. */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const CASES = Number(process.env.CASES ?? 20_000)

test(`${CASES} hostile bodies are taken or refused, never 5xx (SEED=${SEED})`, async () => {
  const { sent, refused } = await fuzzBodies({ seed: SEED, cases: CASES })
  console.log(`SEED=${SEED}: ${sent} bodies, ${refused} refused`)
  assert.ok(refused > CASES / 3)
})
