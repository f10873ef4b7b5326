import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTerm, removeTerm, type Term } from './plan-terms.ts'

const DAY = 86_400
const NOW = 1_800_000_000

const buy = (payment: string, plan: 'small' | 'large') => ({
  payment,
  plan,
  amount: plan === 'small' ? 49_000_000n : 199_000_000n,
  seconds: 30 * DAY,
})
const end = (terms: readonly Term[]) => Math.max(...terms.map(({ to }) => to))
const worth = (terms: readonly Term[]) => terms.reduce((sum, { amount }) => sum + amount, 0n)

test('a first purchase begins now, a renewal at the end, also when that is over', () => {
  const first = addTerm([], buy('a', 'small'), NOW)
  assert.deepEqual(first, [{ payment: 'a', plan: 'small', amount: 49_000_000n, from: NOW, to: NOW + 30 * DAY }])
  const early = addTerm(first, buy('b', 'small'), NOW + 10 * DAY, end(first))
  assert.equal(end(early), NOW + 60 * DAY)
  const late = addTerm([], buy('b', 'small'), NOW + 40 * DAY, end(first))
  assert.equal(end(late), NOW + 70 * DAY)
})

test('another plan begins now, and the unused part becomes time of it, down to a millionth of a dollar and a second', () => {
  const first = addTerm([], buy('a', 'small'), NOW)
  // 29 days, 23 hours, 59 minutes and 59 seconds are left.
  const changed = addTerm(first, buy('b', 'large'), NOW + 1, end(first))
  const left = 49_000_000n - 19n // 49 USD for 2592000 s: a second is worth 18.9 millionths, which are rounded away from the rest
  assert.equal(changed[0]!.amount, left)
  assert.deepEqual(
    changed.map(({ payment, plan, from, to }) => ({ payment, plan, from, to })),
    [
      { payment: 'a', plan: 'large', from: NOW + 1, to: NOW + 1 + 638_230 },
      { payment: 'b', plan: 'large', from: NOW + 1 + 638_230, to: NOW + 1 + 638_230 + 30 * DAY },
    ],
  )
  assert.equal((left * 2_592_000n) / 199_000_000n, 638_230n)
})

test('the value of what is left never grows, whatever is changed to and fro', () => {
  let terms = addTerm([], buy('0', 'small'), NOW)
  let paid = 49_000_000n
  for (let i = 1; i <= 40; i++) {
    const bought = buy(String(i), i % 2 ? 'large' : 'small')
    terms = addTerm(terms, bought, NOW + i, end(terms))
    paid += bought.amount
    assert.ok(worth(terms) <= paid && worth(terms) > paid - BigInt(i) * BigInt(1000 + 100 * i), `${worth(terms)} of ${paid}`)
    assert.ok(terms.every((term, at) => at === 0 || term.from === terms[at - 1]!.to))
  }
})

test('a payment that is taken back takes its own time with it, and no other', () => {
  const first = addTerm([], buy('a', 'small'), NOW)
  const both = addTerm(first, buy('b', 'small'), NOW, end(first))
  assert.deepEqual(removeTerm(first, 'a', NOW + DAY), [])
  assert.equal(end(removeTerm(both, 'a', NOW + DAY)), NOW + 31 * DAY)
  assert.equal(end(removeTerm(both, 'b', NOW + DAY)), NOW + 30 * DAY)
  const changed = addTerm(first, buy('c', 'large'), NOW, end(first))
  assert.equal(end(removeTerm(changed, 'a', NOW)), NOW + 30 * DAY)
})
