import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliverySlots } from './slots.ts'

test('receivers that hang at first sight give their slots back', async () => {
  const slots = new DeliverySlots(8)
  let release = () => {}
  const hanging = new Promise<string>((resolve) => {
    release = () => resolve('late')
  })
  // As many as there are slots, and then one that answers.
  const stuck = Array.from({ length: 6 }, (_, i) => slots.run(`account ${i}`, false, () => hanging))
  assert.equal(await slots.run('quick', false, async () => 'quick'), 'quick')
  release()
  assert.deepEqual(new Set(await Promise.all(stuck)), new Set(['late']))
})

/** Never answers; ends only when it is cut. */
const hang = (cut: AbortSignal) => new Promise<string>((resolve) => cut.addEventListener('abort', () => resolve('cut')))

test('receivers that never answer lose their slots to other accounts', async () => {
  const slots = new DeliverySlots(8, 2)
  const stuck = Array.from({ length: 100 }, () => slots.run('hanging', false, hang))
  for (let i = 0; i < 20; i++) assert.equal(await slots.run('quick', false, async () => 'quick'), 'quick')
  assert.deepEqual(new Set(await Promise.all(stuck.slice(0, 80))), new Set(['cut']))
})

test('one account never has all slots, of healthy and of troubled receivers', async () => {
  for (const isTroubled of [false, true]) {
    const slots = new DeliverySlots(16)
    for (let i = 0; i < 100; i++) void slots.run('hanging', isTroubled, () => new Promise(() => {}))
    let isServed = false
    const quick = slots.run('quick', isTroubled, async () => {
      isServed = true
    })
    // Without waiting for anything else to end.
    for (let i = 0; i < 10; i++) await Promise.resolve()
    assert.ok(isServed)
    await quick
  }
})
