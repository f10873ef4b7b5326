import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../src/config/load.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import type { PaySettings } from '../../src/pay/settings.ts'
import { payHeader } from './clients.ts'
import type { Purchase } from './kept-keys.ts'

const BUYERS = 4
const PRICES = { answer: 1000n, developer: 3000n, business: 7000n }

/** Plans that a buyer can afford hundreds of. */
export const CHEAP_PLANS = loadConfig({
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
}).access.plans

/** `replicas`: servers behind `baseUrl`; the two may be replaced at any time */
export type Shops = { baseUrl: string; replicas: readonly { url: string }[]; random: () => number }

export type Buyers = {
  /** what was handed over so far */
  sold: Purchase[]
  /** Every buyer buys one thing after the other until there are enough. */
  everyoneBuys: (isEnough: (bought: number) => boolean) => Promise<void>
}

/** Buyers of answers, keys and renewals who go to the other replica with the same credential when one does not answer. */
export function openBuyers(settings: PaySettings, { baseUrl, replicas, random }: Shops): Buyers {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
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
        payment ??= await payHeader(buyer % 2 ? 'mpp' : 'x402', { ...settings, baseUrl }, target, payerKey(buyer), init)
        const response = await fetch(target, { ...init, headers: { ...init.headers, ...payment } })
        if (response.status === 200) {
          const { key, account } = (await response.json()) as { key?: string; account?: string }
          sold.push({ buyer, goods, amount: PRICES[goods], key, account, isRenewal: renewed !== undefined })
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

  return {
    sold,
    async everyoneBuys(isEnough) {
      let bought = 0
      const buyOn = async (buyer: number) => {
        for (let turn = buyer; !isEnough(bought); turn++) {
          bought++
          await buy(buyer, turn)
        }
      }
      await Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buyOn(buyer)))
    },
  }
}

export const sumOf = (sold: readonly Purchase[]): bigint => sold.reduce((sum, { amount }) => sum + amount, 0n)
