import { type Answer, makeAnswer } from '../../src/api/http/answer.ts'
import { AnswerCache } from '../../src/api/http/cache.ts'
import { printTable } from '../harness/measure.ts'

const KEYS = 1_000_000
const BLOCK_SECONDS = 6
const SECONDS = 600
const BUDGET = 64 * 2 ** 20
/** An answer is kept under the text of its request and under its normalised form. */
const FORMS = ['', ' normalised']
/** Bytes of a mean answer of the classes of `read`. */
const BYTES = { head: 3600, closed: 1600 }
/** Part of the requests of the mix of `read` whose answers no later block changes: events and messages of txs, events of blocks. */
const CLOSED_REQUESTS = 3 / 18

/** Parts of requests that the cache of one process answers, by how its memory is divided and by how many requests come. */
export async function run(): Promise<void> {
  const pick = zipf(KEYS)
  const rows = [50, 500, 5000].map((perSecond) => ({
    'requests/s': perSecond,
    ...Object.fromEntries([0.25, 0.5, 0.75].map((share) => [`closed part ${share * 100} %`, rateText(pick, perSecond, share)])),
  }))
  printTable(
    `hits of all, of answers for one head, of closed ones (Zipf over ${KEYS} keys, a block every ${BLOCK_SECONDS} s, ${BUDGET / 2 ** 20} MiB)`,
    rows,
  )
}

function rateText(pick: (random: number) => number, perSecond: number, closedShare: number): string {
  const cache = new AnswerCache(BUDGET, closedShare)
  const answers = { head: answerOf('head'), closed: answerOf('closed') }
  const asked = { head: 0, closed: 0 }
  const hits = { head: 0, closed: 0 }
  const random = randomOf(1)
  for (let second = 0; second < SECONDS; second++) {
    if (second % BLOCK_SECONDS === 0) cache.advance()
    // The first half fills the cache.
    const isCounted = second >= SECONDS / 2
    for (let i = 0; i < perSecond; i++) {
      const kind = random() < CLOSED_REQUESTS ? 'closed' : 'head'
      const key = `/v1/${kind}/${pick(random())}`
      const isHit = cache.get(key) !== undefined
      if (!isHit) for (const form of FORMS) cache.set(key + form, answers[kind])
      if (!isCounted) continue
      asked[kind]++
      if (isHit) hits[kind]++
    }
  }
  const text = (part: number, all: number) => `${((100 * part) / all).toFixed(0)} %`
  const all = text(hits.head + hits.closed, asked.head + asked.closed)
  return `${all}, ${text(hits.head, asked.head)}, ${text(hits.closed, asked.closed)}`
}

const answerOf = (kept: 'head' | 'closed'): Answer =>
  makeAnswer(
    { bytes: Buffer.alloc(BYTES[kept]), contentType: 'application/json', digest: '' },
    { height: 1, kept, link: undefined, headers: undefined, work: 0 },
  )

/** The n-th key is asked for in proportion to 1/n: gives the key for a random number. */
function zipf(keys: number): (random: number) => number {
  const sums = new Float64Array(keys)
  let sum = 0
  for (let n = 0; n < keys; n++) sums[n] = sum += 1 / (n + 1)
  return (random) => {
    let low = 0
    let high = keys - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < random * sum) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The same numbers in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
