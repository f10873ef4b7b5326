import type { Plan } from '../../../../src/client/gen/operations.ts'
import { findWallet, type Offer, signPayment } from './wallet.ts'

export type Bought = { key?: string; key_id: string; account: string; plan: string; valid_until: string }

/** Price of a plan in words. */
export function priceOf({ name, price_usd: price, period_days: days }: Plan): string {
  if (price === null) return name === 'free' ? 'free' : 'on request'
  return `${price.replace(/\.?0+$/, '')} USD for ${days} days`
}

/** Payments whose answer is not here yet, by what they are for: the same payment is sent again instead of another. */
const open = new Map<string, string>()

const TRIES = 20
const WAIT_MS = 2000

/** Buys a key of the plan at this address, or renews the given one. */
export async function buyPlan(url: string, apikey = ''): Promise<Bought> {
  const wallet = findWallet()
  if (!wallet) throw new Error('No wallet was found in this browser. Install one that holds USDC, or buy with a client.')
  const headers: Record<string, string> = apikey === '' ? {} : { apikey }
  const name = `${url} ${apikey}`
  const payment = open.get(name) ?? (await signPayment(wallet, await askOffer(url, headers)))
  open.set(name, payment)
  for (let left = TRIES; ; left--) {
    const response = await fetch(url, { method: 'POST', headers: { ...headers, 'PAYMENT-SIGNATURE': payment } })
    const isBusy = response.status === 409 || response.status === 503
    if (isBusy && left > 0) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      continue
    }
    if (response.ok) {
      open.delete(name)
      return (await response.json()) as Bought
    }
    // Nothing was charged: the next attempt signs a new transfer.
    if (!isBusy && response.status < 500) open.delete(name)
    throw new Error(((await response.json()) as { detail: string }).detail)
  }
}

async function askOffer(url: string, headers: Record<string, string>): Promise<Offer> {
  const response = await fetch(url, { method: 'POST', headers })
  // Read to its end: the connection is free for the payment.
  await response.arrayBuffer()
  const offer = response.headers.get('payment-required')
  if (offer === null) throw new Error('The service did not name a price.')
  return JSON.parse(atob(offer)) as Offer
}
