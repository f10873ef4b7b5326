import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliverySlots } from './slots.ts'

test('receivers that hang at first sight give their places back', async () => {
  const slots = new DeliverySlots(8)
  let release = () => {}
  const hanging = new Promise<string>((resolve) => {
    release = () => resolve('late')
  })
  // As many as there are places, and then one that answers.
  const stuck = Array.from({ length: 6 }, (_, i) => slots.run(`account ${i}`, false, () => hanging))
  assert.equal(await slots.run('quick', false, async () => 'quick'), 'quick')
  release()
  assert.deepEqual(new Set(await Promise.all(stuck)), new Set(['late']))
})

test('no more requests give their places back than there are places', async () => {
  const slots = new DeliverySlots(4)
  let started = 0
  let release = () => {}
  const hanging = new Promise<void>((resolve) => {
    release = resolve
  })
  const all = Array.from({ length: 20 }, () =>
    slots.run('one', false, () => {
      started++
      return hanging
    }),
  )
  await slots.run('failing', true, async () => {})
  while (started < 7) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setImmediate(resolve))
  // Three places, four that gave theirs back.
  assert.equal(started, 7)
  release()
  await Promise.all(all)
  assert.equal(started, 20)
})
