import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, makeAnswer } from './answer.ts'
import { AnswerCache } from './cache.ts'

const answer = (size: number, kept: Answer['kept'] = 'head') =>
  makeAnswer(
    { bytes: Buffer.alloc(size), contentType: 'application/json', digest: 'x' },
    { height: 1, kept, link: undefined, headers: undefined, work: 0 },
  )

test('memory stays within the budget, and what is used survives', () => {
  const budget = 1_000_000
  const cache = new AnswerCache(budget)
  cache.set('hot', answer(1000))
  let kept = 0
  for (let i = 0; i < 5000; i++) {
    cache.set(`cold ${i}`, answer(1000))
    assert.ok(cache.get('hot'), `lost after ${i}`)
  }
  for (let i = 0; i < 5000; i++) if (cache.get(`cold ${i}`)) kept++
  assert.ok(kept > 100 && kept * 1000 < budget, String(kept))
})

test('an answer that would push out everything else is not kept', () => {
  const cache = new AnswerCache(64 << 20)
  cache.set('huge', answer((1 << 20) + 1))
  assert.equal(cache.get('huge'), undefined)
})

test('a new head forgets its own, a rollback forgets all', () => {
  const cache = new AnswerCache(1 << 20)
  cache.set('list', answer(10))
  cache.set('closed', answer(10, 'closed'))
  cache.set('live', answer(10, 'none'))
  assert.equal(cache.get('live'), undefined)
  cache.advance()
  assert.equal(cache.get('list'), undefined)
  assert.ok(cache.get('closed'))
  cache.rollBack()
  assert.equal(cache.get('closed'), undefined)
})
