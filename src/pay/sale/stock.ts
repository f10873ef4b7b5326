import type { BoundRequest } from '../../api/http/bind.ts'
import { Invariant } from '../../lib/errors.ts'
import type { Lookup } from '../../operations/lookup.ts'
import type { Sold } from '../plans/plan-item.ts'
import type { PlanSales } from '../plans/plan-sales.ts'
import type { PaymentCredential } from '../rails/payment.ts'
import { answerGoods, type Goods } from './goods.ts'

/** A request with a payment, read as far as that takes no database. */
export type Wanted = { item: Sold; asked: BoundRequest; credential: PaymentCredential; apikey: string | undefined }

/** Goods of a request: answers of the index, and keys of plans where those are sold. */
export type Stock = (wanted: Wanted) => Goods

export function createStock(lookup: Lookup, plans: PlanSales | undefined): Stock {
  return ({ item, asked, credential: { credentialHash }, apikey }) => {
    if (!('plan' in item)) return answerGoods(() => lookup(item, asked))
    if (!plans) throw new Invariant('no_plans', 'a plan is offered and none is sold')
    return plans.goodsOf(item, { credentialHash, apikey })
  }
}
