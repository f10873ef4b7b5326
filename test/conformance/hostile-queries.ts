import assert from 'node:assert/strict'
import type { TestApi } from '../../src/api/testing.ts'
import { HOSTILE, type Operation, random, urlOf } from './hostile-values.ts'

/** Asks for a URL that may be anything: it is answered or refused in our words, and nothing of it comes back as markup or a header. */
export async function askAnything(api: TestApi, url: string): Promise<{ status: number; param: string | undefined }> {
  const { status, headers, text } = await api.get(url)
  const what = `${url.slice(0, 200)} → ${status} ${text.slice(0, 200)}`
  // A recording has blocks and no proofs of state: a question for one that is well formed ends there.
  const isUnproven = status === 503 && text.includes('"code":"no_state_proofs"')
  assert.ok([200, 204, 400, 404, 414].includes(status) || isUnproven, `${what} ${String(api.failures.at(-1))}`)
  assert.equal(headers['x-injected'], undefined, what)
  if (status >= 400) {
    assert.equal(headers['content-type'], 'application/json', what)
    assert.doesNotMatch(text, /[<>]|syntax|SELECT|postgres|at \w+ \(/, what)
  }
  return { status, param: status === 400 && text ? (JSON.parse(text) as { param?: string }).param : undefined }
}

/** Gives every parameter of every operation so many hostile values. */
export async function fuzzQueries(
  api: TestApi,
  operations: readonly Operation[],
  { seed, each }: { seed: number; each: number },
): Promise<{ asked: number; refused: number }> {
  const next = random(seed)
  const count = { asked: 0, refused: 0 }
  for (const operation of operations)
    for (const { name, in: place } of operation.parameters)
      for (let i = 0; i < each; i++) {
        const value = HOSTILE[Math.floor(next() * HOSTILE.length)]!
        const { status, param } = await askAnything(api, urlOf(operation, name, value))
        count.asked++
        if (status !== 400) continue
        count.refused++
        // Without the segment it is the path of another operation.
        if (param === undefined || (place === 'path' && ['', ' ', '.', '..'].includes(value))) continue
        assert.ok(operation.parameters.some((one) => one.name === param) || param === 'body', urlOf(operation, name, value))
      }
  return count
}
