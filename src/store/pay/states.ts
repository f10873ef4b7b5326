import { Fragment } from '../sql/fragment.ts'

export type PaymentState = 'claimed' | 'broadcast' | 'settled' | 'credit' | 'delivered' | 'refunded' | 'failed'

type Step = { from: readonly PaymentState[]; to: PaymentState }

/**
 * Every change of state of a payment, as docs/payments.md draws it. A row begins as `claimed`; a claim or a transaction that came to
 * nothing is released, which removes the row.
 */
const STEPS = {
  /** a transaction that the payer signed, or an order to a facilitator, is kept before it is sent */
  keep: { from: ['claimed'], to: 'broadcast' },
  /** the settler signs the transfer, or signs it again */
  sign: { from: ['claimed', 'broadcast'], to: 'broadcast' },
  settle: { from: ['claimed', 'broadcast'], to: 'settled' },
  fail: { from: ['claimed', 'broadcast'], to: 'failed' },
  deliver: { from: ['settled', 'credit'], to: 'delivered' },
  /** nobody fetched the answer while its challenge lived */
  expire: { from: ['settled'], to: 'credit' },
  refund: { from: ['settled', 'credit', 'delivered'], to: 'refunded' },
  /** the payment chain dropped the transfer for good */
  takeBack: { from: ['settled', 'credit', 'delivered', 'refunded'], to: 'failed' },
} as const satisfies Record<string, Step>

const isOneOf = (states: readonly PaymentState[]): Fragment =>
  new Fragment([`state in (${states.map((state) => `'${state}'`).join(', ')})`], [])

/** Parts of the statement that takes a step: `set` names the new state, `where` the states it is taken from. */
export function step(name: keyof typeof STEPS): { set: Fragment; where: Fragment } {
  const { from, to }: Step = STEPS[name]
  return { set: new Fragment([`state = '${to}'`], []), where: isOneOf(from) }
}

/** Whether the transfer is under way, or its end not known. */
export const IN_FLIGHT = isOneOf(['claimed', 'broadcast'])
/** Paid for and not handed out. */
export const OWED = isOneOf(['settled', 'credit'])
/** Somebody works on it or waits for it. */
export const OPEN = isOneOf(['claimed', 'broadcast', 'settled', 'credit'])
/** The money moved. */
export const CHARGED = isOneOf(['settled', 'credit', 'delivered', 'refunded'])
