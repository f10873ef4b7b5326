import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createSeededRandom } from '../../src/lib/random.ts'
import type { Step } from '../../src/pay/payment.ts'
import { payerKey } from '../../src/simulation/payment-chain/accounts.ts'
import { freePort } from '../../src/simulation/payment-chain/anvil.ts'
import { type Bed, makeBed } from './bed.ts'
import { payHeader } from './clients.ts'
import { type PaidProcess, spawnPaid } from './processes.ts'

/**
 * Replicas are killed at random moments while many buy: what was charged was answered, to the unit. `KILL_PURCHASES`, `KILLS` and `SEED`
 * choose a longer campaign.
 */

const PURCHASES = Number(process.env.KILL_PURCHASES ?? 24)
const KILLS = Number(process.env.KILLS ?? 3)
const SEED = Number(process.env.SEED ?? 7)
const BUYERS = 4
const PRICE = 1000n
const STEPS: Step[] = ['claimed', 'signed', 'sent', 'settled']

let bed: Bed
before(async () => {
  bed = await makeBed()
})
after(() => bed.stop())

test(`${PURCHASES} purchases over two replicas with ${KILLS} kills (SEED ${SEED}): charged = answered`, async (t) => {
  const random = createSeededRandom(SEED)
  const baseUrl = `http://127.0.0.1:${await freePort()}`
  const settings = { leaseMs: 1500, confirmTimeoutMs: 1000 }
  const start = (dieAt?: Step) => spawnPaid(bed, baseUrl, { reconcileMs: 200, settings, ...(dieAt && { dieAt }) })
  const replicas: PaidProcess[] = [await start(), await start()]
  const before = await bed.revenue()
  let [left, answered, kills, isOver] = [PURCHASES, 0, 0, false]
  const starting: Promise<void>[] = []

  /** Every so many purchases a replica is replaced by one that dies in the middle of the next payment it gets. */
  const every = Math.max(1, Math.floor(PURCHASES / KILLS))
  const doom = async () => {
    kills++
    const place = Math.floor(random() * 2)
    const doomed = await start(STEPS[Math.floor(random() * STEPS.length)])
    await replicas[place]!.stop()
    replicas[place] = doomed
    const replace = async () => {
      if (!isOver && replicas[place] === doomed) replicas[place] = await start()
    }
    starting.push(doomed.gone.then(replace))
  }

  const buy = async (buyer: number): Promise<void> => {
    const target = (i: number) => `${replicas[i % 2]!.url}/v1/head`
    let headers: Record<string, string> | undefined
    for (let tries = 0; tries < 400; tries++) {
      try {
        headers ??= await payHeader(buyer % 2 ? 'mpp' : 'x402', { ...bed.settings, baseUrl }, target(tries), payerKey(buyer))
        const { status } = await fetch(target(tries), { headers })
        if (status === 200) {
          answered++
          return
        }
        assert.ok(status === 409 || status === 503, `status ${status}`)
      } catch (error) {
        // The replica is gone: the same credential goes to the other one.
        if (!(error instanceof TypeError)) throw error
      }
      await delay(50)
    }
    throw new Error('a purchase got no answer')
  }
  await Promise.all(
    Array.from({ length: BUYERS }, async (_, buyer) => {
      while (left-- > 0) {
        if ((PURCHASES - left) % every === 0 && kills < KILLS) await doom()
        await buy(buyer)
      }
    }),
  )
  isOver = true
  for (const replica of replicas) await replica.stop()
  await Promise.all(starting)
  const charged = (await bed.revenue()) - before
  t.diagnostic(`${answered} answered, ${charged} charged, ${kills} kills`)
  assert.equal(answered, PURCHASES)
  assert.equal(charged, BigInt(PURCHASES) * PRICE)
  assert.equal(kills, KILLS)
})
