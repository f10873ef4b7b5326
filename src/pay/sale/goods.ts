import type { LookupResult } from '../../operations/lookup.ts'
import type { StoredAnswer } from '../../store/pay/ledger.ts'
import type { PlanOrder } from '../../store/pay/plan-orders.ts'

/** What a request buys, from before its money moves until it is handed over. */
export type Goods = {
  /** What there is to sell, or why nothing is; changes nothing. Throws what went wrong. */
  find: () => Promise<LookupResult>
  /** carried out by the ledger together with the money; without it the goods are what was found */
  order?: PlanOrder
  /** The answer for a payment whose money is here. */
  collect: (paymentKey: string) => Promise<LookupResult>
  /** Completes an answer by what is never stored, for the credential that has paid. */
  unseal: (answer: StoredAnswer, credentialHash: Buffer) => StoredAnswer
}

/** An answer of the index: the same before and after the payment. */
export function answerGoods(find: Goods['find']): Goods {
  return { find, collect: find, unseal: (answer) => answer }
}
