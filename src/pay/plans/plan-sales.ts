import type { Found, LookupResult } from '../../operations/lookup.ts'
import { deriveKeyText, isKeyText, randomBase62 } from '../../store/access/key-text.ts'
import type { KeySecrets } from '../../store/access/keys.ts'
import { digestKey } from '../../store/access/pepper.ts'
import type { SqlPool } from '../../store/db.ts'
import type { StoredAnswer } from '../../store/pay/ledger.ts'
import { findPlanSale, findStanding, type KeyStanding, type PlanOrder } from '../../store/pay/plan-orders.ts'
import type { Goods } from '../sale/goods.ts'
import type { PlanItem } from './plan-item.ts'

export type PlanSalesDeps = { db: SqlPool; secrets: KeySecrets; baseUrl: string }

/** A request for a plan; `apikey` is the key to renew. */
export type PlanRequest = { credentialHash: Buffer; apikey: string | undefined }

type Refused = Extract<LookupResult, { detail: string }>

const REFUSALS: Record<Exclude<KeyStanding, 'renewable'>, Refused> = {
  unknown: { status: 401, detail: 'the key in the header apikey is not known: leave it out to buy a new one', param: 'apikey' },
  revoked: { status: 401, detail: 'the key in the header apikey was revoked: leave it out to buy a new one', param: 'apikey' },
  arranged: {
    status: 409,
    detail: 'the plan of this key was arranged by the operator and cannot be renewed here: leave it out to buy a new one',
    param: 'apikey',
  },
}

/** Keys of plans as goods. The text of a key is derived from the pepper and the credential that paid for it, and stored nowhere. */
export class PlanSales {
  readonly #deps: PlanSalesDeps

  constructor(deps: PlanSalesDeps) {
    this.#deps = deps
  }

  goodsOf(item: PlanItem, { credentialHash, apikey }: PlanRequest): Goods {
    return {
      order: this.#order(item, credentialHash, apikey),
      find: () => this.#check(apikey),
      collect: (paymentKey) => this.#collect(paymentKey, item),
      unseal: (answer, paidBy) => this.#unseal(answer, paidBy),
    }
  }

  #order({ plan }: PlanItem, credentialHash: Buffer, apikey: string | undefined): PlanOrder {
    const { text, prefix, last4 } = deriveKeyText(this.#deps.secrets, credentialHash)
    return {
      plan: plan.name,
      seconds: plan.seconds,
      renews: apikey === undefined ? undefined : this.#digest(apikey),
      key: { id: randomBase62(10), account: `acc_${randomBase62(10)}`, digest: this.#digest(text), prefix, last4 },
    }
  }

  async #check(apikey: string | undefined): Promise<LookupResult> {
    if (apikey === undefined) return NOTHING_YET
    const { db, secrets } = this.#deps
    const isOurs = isKeyText(apikey, secrets.environment)
    const standing = isOurs ? await findStanding(db, this.#digest(apikey)) : 'unknown'
    return standing === 'renewable' ? NOTHING_YET : REFUSALS[standing]
  }

  async #collect(paymentKey: string, { path }: PlanItem): Promise<LookupResult> {
    const { db, baseUrl } = this.#deps
    const sale = await findPlanSale(db, paymentKey)
    if (!sale) return { status: 503, detail: 'the key is not there yet: repeat the request with the same credential' }
    const { account, key_id, is_new: isNew, plan, valid_until } = sale
    const told = { key_id, account, plan, valid_until, renewed: !isNew, renew_url: baseUrl + path }
    return { status: 200, body: Buffer.from(`${JSON.stringify(told)}\n`) }
  }

  /** Adds the text of a key that was made. */
  #unseal(answer: StoredAnswer, credentialHash: Buffer): StoredAnswer {
    const told = JSON.parse(answer.body.toString()) as { renewed: boolean }
    if (told.renewed) return answer
    const { text } = deriveKeyText(this.#deps.secrets, credentialHash)
    return { ...answer, body: Buffer.from(`${JSON.stringify({ key: text, ...told })}\n`) }
  }

  #digest(text: string): string {
    return digestKey(this.#deps.secrets.pepper, text).toString('hex')
  }
}

/** The order can be carried out; what it brings is known once it is. */
const NOTHING_YET: Found = { status: 200, body: Buffer.alloc(0) }
