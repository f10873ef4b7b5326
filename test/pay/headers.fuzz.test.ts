import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSeededRandom, type Random } from '../../src/lib/random.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { type Header, payHeader } from './clients.ts'

/** Payment headers broken in every way a seed finds: never our failure, never money for nothing. SEED repeats a run. */

const SEED = Number(process.env.SEED ?? 20261115)
const ROUNDS = 150

let bed: Bed
let server: Server

before(async () => {
  bed = await makeBed()
  server = await bed.serve()
})
after(() => bed.stop())

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!

const ODDITIES: unknown[] = [null, true, -1, 0, 1e21, '', 'x', '0x', '0'.repeat(100), '\u0000', '\ud800', [], {}, ['a'], { a: 1 }]

/** Replaces a random value somewhere inside a JSON document, or removes it. */
function breakJson(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return pick(random, ODDITIES)
  const keys = Object.keys(value)
  const key = pick(random, keys.length > 0 ? keys : ['x'])
  const copy = { ...(value as Record<string, unknown>) }
  if (random() < 0.1) delete copy[key]
  else copy[key] = breakJson(random, copy[key])
  return copy
}

function breakText(random: Random, text: string): string {
  const at = Math.floor(random() * text.length)
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}${pick(random, ['!', 'A', ',', '=', ' ', '"'])}${text.slice(at + 1)}`
    case 2:
      return `${text}${text.slice(0, at)}`
    default:
      return text.slice(at)
  }
}

function breakHeader(random: Random, rail: 'mpp' | 'x402', header: Header): Header {
  const encoding = rail === 'mpp' ? 'base64url' : 'base64'
  const text = rail === 'mpp' ? header.authorization!.slice('Payment '.length) : header['payment-signature']!
  const broken =
    random() < 0.4
      ? breakText(random, text)
      : Buffer.from(JSON.stringify(breakJson(random, JSON.parse(Buffer.from(text, encoding).toString())))).toString(encoding)
  return rail === 'mpp' ? { authorization: `Payment ${broken}` } : { 'payment-signature': broken }
}

for (const rail of ['mpp', 'x402'] as const)
  test(`${rail}: ${ROUNDS} broken payments are refused or sold, never failed, and money follows answers`, async () => {
    const random = createSeededRandom(SEED)
    const url = `${server.url}/v1/head`
    const header = await payHeader(rail, server.settings, url)
    const before = await bed.revenue()
    let sold = 0n
    for (let round = 0; round < ROUNDS; round++) {
      const broken = breakHeader(random, rail, header)
      const response = await fetch(url, { headers: broken })
      await response.arrayBuffer()
      assert.ok(
        [200, 400, 402, 409].includes(response.status),
        `SEED ${SEED} round ${round}: ${response.status} ${JSON.stringify(broken)}`,
      )
      assert.equal(response.headers.has('payment-receipt'), response.status === 200)
      if (response.status === 200 && !response.headers.has('idempotent-replayed')) sold += 1000n
    }
    assert.equal((await bed.revenue()) - before, sold)
    assert.ok(sold <= 1000n)
  })
