import { Type } from 'typebox'
import { planPath, sixDecimals } from '../../access/plan-list.ts'
import { compileParams, compileQuery } from '../../api/http/bind.ts'
import type { PlanConfig } from '../../config/access-schema.ts'
import type { ForSale, Operation } from '../../operations/operation.ts'

/** A plan whose keys are sold. */
export type PlanItem = ForSale & { plan: { name: string; seconds: number } }

/** Everything that the paid surface sells. */
export type Sold = Operation | PlanItem

const HEADERS = { apikey: Type.Optional(Type.String({ description: 'key that is renewed; without it a new one is made' })) }

const DAY_SECONDS = 86_400

const text = (description: string) => ({ type: 'string', description })

const BOUGHT = {
  type: 'object',
  properties: {
    key: text('the API key, shown here only; absent when a key was renewed'),
    key_id: text('its id, as lists of keys show it'),
    account: text('owner of the key: limits and usage are counted for it'),
    plan: text('plan of the account from now on'),
    valid_until: { type: 'string', format: 'date-time', description: 'end of what is paid for' },
    renewed: { type: 'boolean', description: 'whether the key in the header apikey was renewed' },
    renew_url: text('POST with the key in the header apikey renews it, also after its end'),
  },
}

const EXAMPLE = { account: 'acc_4fT…', plan: 'developer', valid_until: '2026-01-31T00:00:00Z', renewed: false }

/** The plans that are sold, each for its own price at its own address. */
export function planItems(plans: readonly PlanConfig[]): PlanItem[] {
  return plans.filter(({ sold }) => sold).map(toItem)
}

function toItem({ name, price, period_days: days }: PlanConfig): PlanItem {
  return {
    id: `buyPlan_${name}`,
    method: 'POST',
    path: planPath(name),
    tier: 'plan',
    usd: sixDecimals(price!),
    label: 'Plans',
    summary: `API key of the plan ${name} for ${days} days`,
    params: {},
    query: {},
    headers: HEADERS,
    answer: { schema: BOUGHT, example: { ...EXAMPLE, plan: name } },
    bindParams: compileParams(Type.Object({})),
    bindQuery: compileQuery(Type.Object({})),
    plan: { name, seconds: days * DAY_SECONDS },
  }
}
