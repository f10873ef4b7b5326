import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../src/lib/free-port.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import { type Bed, makeBed } from './bed.ts'
import { CHEAP_PLANS, openBuyers, sumOf } from './buyers.ts'
import { assertKeys } from './kept-keys.ts'
import { type PaidProcess, spawnPaid } from './processes.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'

/**
 * One replica after another is replaced by one that dies in the middle of a payment, while several buyers buy answers, keys and renewals:
 * what was charged was handed over, to the unit. Between kills the node of the payment chain fails, and the chain drops blocks. `SEED`
 * chooses other moments.
 */

const SEED = Number(process.env.SEED ?? 7)
const STEPS: Step[] = ['claimed', 'signed', 'sent', 'settled']
const FAULTS: RpcProxy['mode'][] = ['down', 'failing', 'confused', 'blind']
const FAULT_MS = 300
const FORK_BLOCKS = 2

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
      spawnPaid(bed, baseUrl, { reconcileMs: 200, watchMs: 100, plans: CHEAP_PLANS, settings, ...(dieAt && { dieAt }) })
    const replicas: PaidProcess[] = [await start()]
    const before = await bed.revenue()
    const { sold, everyoneBuys } = openBuyers(bed.settings, { baseUrl, replicas, random })

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
    const owed = sumOf(sold)
    // Payments that a fork dropped are sent again.
    for (let tries = 0; (await bed.revenue()) - before !== owed && tries < 200; tries++) await delay(100)
    for (const replica of replicas) await replica.stop()
    const charged = (await bed.revenue()) - before
    t.diagnostic(`${sold.length} delivered, ${sold.filter(({ key }) => key).length} keys, ${charged} charged`)
    assert.ok(sold.length >= purchases)
    assert.equal(charged, owed)
    await assertKeys(bed.ledger, sold)
  })
