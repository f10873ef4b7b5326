import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Client, TurnQueue } from './turn-queue.ts'

const free = (name: string): Client => ({ name, share: 1 })
const paying = (name: string): Client => ({ name, share: 3 })

/** Runs jobs of a number of turns, and remembers whose turns there were. */
function watch(queue: TurnQueue) {
  const turns: string[] = []
  const run = (client: Client, count: number, cost = 1) => {
    let left = count
    return queue.run(client, async () => {
      await setImmediate()
      turns.push(client.name)
      left--
      return left > 0 ? { cost, isDone: false } : { cost, isDone: true, value: client.name }
    })
  }
  /** share of the turns from the first to the last one of `name` that others had */
  const shareOf = (other: string, name: string) => {
    const during = turns.slice(turns.indexOf(name), turns.lastIndexOf(name) + 1)
    return during.filter((one) => one === other).length / during.length
  }
  return { turns, run, shareOf }
}

test('a client that floods the queue gets a quarter of it while another one waits, whoever came first', async () => {
  for (const isFirst of [true, false]) {
    const { run, shareOf } = watch(new TurnQueue())
    const flood = () => Array.from({ length: 16 }, () => run(free('flood'), 30))
    const jobs = isFirst ? flood() : []
    const neighbour = run(free('neighbour'), 60)
    if (!isFirst) jobs.push(...flood())
    await neighbour
    assert.ok(Math.abs(shareOf('flood', 'neighbour') - 0.25) < 0.03, String(shareOf('flood', 'neighbour')))
    await Promise.all(jobs)
  }
})

test('a client that asks again and again waits for no more than its share each time', async () => {
  const { turns, run } = watch(new TurnQueue())
  const jobs = Array.from({ length: 16 }, () => run(free('flood'), 40))
  for (let i = 0; i < 5; i++) {
    const before = turns.length
    await run(free('neighbour'), 30)
    const between = turns.slice(before).filter((one) => one === 'flood').length
    // The turn that is under way when it comes is the one more.
    assert.ok(between <= 11, `${between} turns of the other`)
  }
  await Promise.all(jobs)
})

test('a free client has a quarter beside one with a key, and equals have the same', async () => {
  const { run, shareOf } = watch(new TurnQueue())
  await Promise.all([run(free('free'), 60), run(paying('key'), 60)])
  assert.ok(Math.abs(shareOf('free', 'key') - 0.25) < 0.03)
  const equal = watch(new TurnQueue())
  await Promise.all([equal.run(free('a'), 40), equal.run(free('b'), 40)])
  assert.ok(Math.abs(equal.shareOf('a', 'b') - 0.5) < 0.03)
})

test('turns count by their cost', async () => {
  const { turns, run } = watch(new TurnQueue())
  await Promise.all([run(free('dear'), 4, 10), run(free('cheap'), 40)])
  assert.ok(Math.abs(turns.indexOf('dear', 1) - 11) <= 1, turns.join(' '))
})

test('a job is finished before the next one of its client begins, and one that fails ends', async () => {
  const queue = new TurnQueue()
  const { turns, run } = watch(queue)
  await Promise.all([run({ name: 'a', share: 1 }, 3).then(() => turns.push('first is done')), run(free('a'), 1)])
  assert.deepEqual(turns, ['a', 'a', 'a', 'first is done', 'a'])
  await assert.rejects(
    queue.run(free('b'), async () => {
      throw new Error('failed')
    }),
    /failed/,
  )
  assert.deepEqual([queue.jobsOf('a'), queue.jobsOf('b')], [0, 0])
})
