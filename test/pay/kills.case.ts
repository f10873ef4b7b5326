import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../src/lib/free-port.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import { type Bed, makeBed } from './bed.ts'
import { payHeader } from './clients.ts'
import { type PaidProcess, spawnPaid } from './processes.ts'

/**
 * One replica after another is replaced by one that dies in the middle of a payment, while several buyers buy on: what was charged was
 * answered, to the unit. `SEED` chooses other moments.
 */

const SEED = Number(process.env.SEED ?? 7)
const BUYERS = 4
const PRICE = 1000n
const STEPS: Step[] = ['claimed', 'signed', 'sent', 'settled']

let bed: Bed
before(async () => {
  bed = await makeBed()
})
after(() => bed.stop())

export const testKills = ({ purchases, kills }: { purchases: number; kills: number }): Promise<void> =>
  test(`at least ${purchases} purchases over two replicas with ${kills} kills (SEED ${SEED}): charged = answered`, async (t) => {
    const random = createSeededRandom(SEED)
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const settings = { leaseMs: 1500, confirmTimeoutMs: 1000 }
    const start = (dieAt?: Step) => spawnPaid(bed, baseUrl, { reconcileMs: 200, settings, ...(dieAt && { dieAt }) })
    const replicas: PaidProcess[] = [await start(), await start()]
    const before = await bed.revenue()
    let answered = 0

    const buy = async (buyer: number, first: number): Promise<void> => {
      let headers: Record<string, string> | undefined
      for (let tries = 0; tries < 400; tries++) {
        const target = `${replicas[(first + tries) % 2]!.url}/v1/head`
        try {
          headers ??= await payHeader(buyer % 2 ? 'mpp' : 'x402', { ...bed.settings, baseUrl }, target, payerKey(buyer))
          const { status } = await fetch(target, { headers })
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
    const everyoneBuys = async (isEnough: (bought: number) => boolean) => {
      let bought = 0
      const buyOn = async (buyer: number) => {
        for (let turn = buyer; !isEnough(bought); turn++) {
          bought++
          await buy(buyer, turn)
        }
      }
      await Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buyOn(buyer)))
    }

    for (let killed = 0; killed < kills; killed++) {
      const place = Math.floor(random() * 2)
      const doomed = await start(STEPS[Math.floor(random() * STEPS.length)])
      await replicas[place]!.stop()
      replicas[place] = doomed
      let isGone = false
      const replace = async () => {
        assert.equal((await doomed.ended).signal, 'SIGKILL')
        isGone = true
        replicas[place] = await start()
      }
      await Promise.all([replace(), everyoneBuys((bought) => isGone && bought >= purchases / kills)])
    }
    for (const replica of replicas) await replica.stop()
    const charged = (await bed.revenue()) - before
    t.diagnostic(`${answered} answered, ${charged} charged`)
    assert.ok(answered >= purchases)
    assert.equal(charged, BigInt(answered) * PRICE)
  })
