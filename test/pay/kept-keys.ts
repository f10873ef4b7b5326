import assert from 'node:assert/strict'
import { digestKey } from '../../src/store/access/pepper.ts'
import type { SqlPool } from '../../src/store/db.ts'
import { PEPPER } from '../access/secrets.ts'

/** One thing that a buyer was handed. `key`: of a new account. */
export type Purchase = {
  buyer: number
  goods: 'answer' | 'developer' | 'business'
  amount: bigint
  key: string | undefined
  account: string | undefined
  isRenewal: boolean
}

/** Keys and terms in the tables are those that were sold: one key for each payment that bought one, one term for each that paid for time. */
export async function assertKeys(sql: SqlPool, sold: readonly Purchase[]): Promise<void> {
  const plans = sold.filter(({ goods }) => goods !== 'answer')
  const made = plans.filter(({ key }) => key !== undefined)
  assert.equal(made.length, plans.filter(({ isRenewal }) => !isRenewal).length, 'a new key for every purchase without one')
  assert.equal(new Set(made.map(({ key }) => key)).size, made.length, 'no key twice')
  const keys = await sql<{ digest: Buffer; account: string; expires_at: string; role: string }[]>`
    select digest, account, expires_at, role from api_key where revoked_at is null`
  assert.deepEqual(
    keys.map(({ digest }) => digest.toString('hex')).sort(),
    made.map(({ key }) => digestKey(PEPPER, key!).toString('hex')).sort(),
  )
  assert.ok(keys.every(({ role }) => role === 'client'))
  const terms = await sql<{ account: string; terms: number; until: string; payments: number }[]>`
    select account, count(*) as terms, max(ends_at) as until,
           (select count(*) from payment p where p.goods is not null and p.settled_at is not null) as payments
    from plan_term where taken_at is null group by account`
  for (const { account, terms: count, until } of terms) {
    assert.equal(count, plans.filter((sale) => sale.account === account).length, account)
    assert.equal(keys.find((key) => key.account === account)!.expires_at, until, account)
  }
  const payments = terms[0]?.payments ?? 0
  assert.equal(payments, plans.length, 'a payment for everything that was sold')
}
