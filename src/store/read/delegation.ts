import type { Reader } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'

/** Delegations with those of which nothing is left, to select from. */
export const everyDelegation = (sql: Reader): Fragment => sql`(
  select validator_id, address_id, amount from delegation
  union all
  select validator_id, address_id, 0::numeric from ended_delegation
)`
