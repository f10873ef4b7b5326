import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../src/config/load.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import { type Bed, makeBed } from './bed.ts'
import { payHeader } from './clients.ts'
import { assertKeys, type Purchase } from './kept-keys.ts'
import { type PaidProcess, spawnPaid } from './processes.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'

/**
 * One replica after another is replaced by one that dies in the middle of a payment, while several buyers buy answers, keys and renewals:
 * what was charged was handed over, to the unit. Between kills the node of the payment chain fails, and the chain drops blocks. `SEED`
 * chooses other moments.
 */

const SEED = Number(process.env.SEED ?? 7)
const BUYERS = 4
const STEPS: Step[] = ['claimed', 'signed', 'sent', 'settled']
const FAULTS: RpcProxy['mode'][] = ['down', 'failing', 'confused', 'blind']
const FAULT_MS = 300
const FORK_BLOCKS = 2

const PRICES = { answer: 1000n, developer: 3000n, business: 7000n }
const { plans } = loadConfig({
  env: {},
  overrides: {
    access: {
      plans: [
        { name: 'free', requests_per_second: 1 },
        { name: 'developer', requests_per_second: 2, sold: true, price: '0.003' },
        { name: 'business', requests_per_second: 3, sold: true, price: '0.007' },
      ],
    },
  },
}).access

let bed: Bed
let node: RpcProxy
before(async () => {
  bed = await makeBed()
  node = await startRpcProxy(bed.chain.rpcUrl)
  bed.onStop(node.close)
})
after(() => bed.stop())

export type KillsSize = { purchases: number; kills: number; faults?: number; forks?: number }

export const testKills = ({ purchases, kills, faults = 0, forks = 0 }: KillsSize): Promise<void> =>
  test(`at least ${purchases} purchases over two replicas with ${kills} kills, ${faults} node faults and ${forks} forks (SEED ${SEED}): charged = delivered, keys = payments`, async (t) => {
    const random = createSeededRandom(SEED)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const evm = { ...bed.settings.evm!, rpcUrl: node.url }
    const settings = { leaseMs: 1500, confirmTimeoutMs: 1000, evm }
    const start = (dieAt?: Step) =>
      spawnPaid(bed, baseUrl, { reconcileMs: 200, watchMs: 100, plans, settings, ...(dieAt && { dieAt }) })
    const replicas: PaidProcess[] = [await start()]
    const before = await bed.revenue()
    const sold: Purchase[] = []

    /** Repeats with the same credential until the goods are here. */
    const buy = async (buyer: number, first: number): Promise<void> => {
      const goods = pick(['answer', 'developer', 'business'] as const)
      const owned = sold.filter((sale) => sale.buyer === buyer && sale.key !== undefined)
      const renewed = goods !== 'answer' && owned.length > 0 && random() < 0.5 ? pick(owned) : undefined
      const path = goods === 'answer' ? '/v1/head' : `/v1/plans/${goods}/keys`
      const init = { method: goods === 'answer' ? 'GET' : 'POST', headers: renewed ? { apikey: renewed.key! } : {} }
      let payment: Record<string, string> | undefined
      let last = ''
      for (let tries = 0; tries < 600; tries++) {
        const target = `${replicas[(first + tries) % replicas.length]!.url}${path}`
        try {
          payment ??= await payHeader(buyer % 2 ? 'mpp' : 'x402', { ...bed.settings, baseUrl }, target, payerKey(buyer), init)
          const response = await fetch(target, { ...init, headers: { ...init.headers, ...payment } })
          if (response.status === 200) {
            const told = (await response.json()) as { key?: string; account?: string }
            sold.push({
              buyer,
              goods,
              amount: PRICES[goods],
              key: told.key,
              account: told.account,
              isRenewal: renewed !== undefined,
            })
            return
          }
          last = `${response.status}: ${await response.text()}`
          assert.ok(response.status === 409 || response.status === 503, last)
        } catch (error) {
          // The replica is gone: the same credential goes to the other one.
          if (!(error instanceof TypeError)) throw error
        }
        await delay(50)
      }
      throw new Error(`a purchase of ${goods} got no answer but ${last}`)
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
      // The second replica is the first to die.
      const place = killed === 0 ? 1 : Math.floor(random() * 2)
      const doomed = await start(pick(STEPS))
      await replicas[place]?.stop()
      replicas[place] = doomed
      let isGone = false
      const soldBefore = sold.length
      const replace = async () => {
        assert.equal((await doomed.ended).signal, 'SIGKILL')
        isGone = true
        if (killed + 1 < kills) replicas[place] = await start()
        else replicas.splice(place, 1)
      }
      const disturb = async () => {
        if (killed < faults) {
          node.mode = pick(FAULTS)
          await delay(FAULT_MS)
          node.mode = 'up'
        }
        if (killed >= forks) return
        // Blocks with payments, not those that made the token.
        while (sold.length < soldBefore + FORK_BLOCKS) await delay(20)
        await bed.rpc('anvil_rollback', FORK_BLOCKS)
      }
      await Promise.all([replace(), disturb(), everyoneBuys((bought) => isGone && bought >= purchases / kills)])
    }
    const owed = sold.reduce((sum, { amount }) => sum + amount, 0n)
    // Payments that a fork dropped are sent again.
    for (let tries = 0; (await bed.revenue()) - before !== owed && tries < 200; tries++) await delay(100)
    for (const replica of replicas) await replica.stop()
    const charged = (await bed.revenue()) - before
    t.diagnostic(`${sold.length} delivered, ${sold.filter(({ key }) => key).length} keys, ${charged} charged`)
    assert.ok(sold.length >= purchases)
    assert.equal(charged, owed)
    await assertKeys(bed.ledger, sold)
  })
