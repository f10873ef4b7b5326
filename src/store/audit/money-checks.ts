import type { Check } from './check.ts'

const module = (name: string) => `(select coalesce((select spendable from address where name = '${name}'), 0))`

/** I7: every coin is somewhere, and none is owed. */
export const moneyChecks: Check[] = [
  {
    invariant: 'I7',
    name: 'no balance is below zero',
    sample: 'whole',
    sql: `select format('address %s: spendable %s, delegated %s, unbonding %s', id, spendable, delegated, unbonding) as detail
          from address where spendable < 0 or delegated < 0 or unbonding < 0
          union all select format('address %s: %s %s', address_id, amount, denom) from balance where amount < 0`,
  },
  {
    invariant: 'I7',
    name: 'balances sum up to the supply',
    sample: 'whole',
    sql: `select format('%s: supply %s, balances %s', coalesce(s.denom, b.denom), s.amount, b.amount) as detail
          from supply s
          full join (select 'utia' as denom, sum(spendable) as amount from address
                     union all select denom, sum(amount) from balance group by denom) b using (denom)
          where coalesce(s.amount, 0) <> coalesce(b.amount, 0)`,
  },
  {
    invariant: 'I7',
    name: 'supply is what was minted less what was burned',
    sql: `select format('supply %s, changes of all blocks %s', h.total_supply, b.change) as detail
          from head h, (select sum(supply_change) as change from block) b where h.total_supply <> b.change`,
  },
]

/** I8: the staking pools hold exactly the stake. */
export const stakeChecks: Check[] = [
  {
    invariant: 'I8',
    name: 'the bonded pool is the stake of bonded validators',
    sample: 'whole',
    sql: `select format('pool %s, validators %s', pool, stake) as detail
          from (select ${module('bonded_tokens_pool')} as pool, (select coalesce(sum(stake), 0) from validator where bonded) as stake) t
          where pool <> stake`,
  },
  {
    invariant: 'I8',
    name: 'the other pool is the other stake and what unbonds',
    sample: 'whole',
    sql: `select format('pool %s, validators and entries %s', pool, stake) as detail
          from (select ${module('not_bonded_tokens_pool')} as pool,
                       (select coalesce(sum(stake), 0) from validator where not bonded) + (select coalesce(sum(amount), 0) from undelegation) as stake) t
          where pool <> stake`,
  },
  {
    invariant: 'I8',
    name: 'delegations sum up to the stake of their validator',
    sample: 'whole',
    sql: `select format('validator %s: stake %s, %s delegations of %s', v.id, v.stake, d.n, d.amount) as detail
          from validator v
          left join (select validator_id, count(*) n, sum(amount) amount, sum(shares) shares from delegation group by 1) d on d.validator_id = v.id
          where v.stake - coalesce(d.amount, 0) not between 0 and coalesce(d.n, 0) or v.shares <> coalesce(d.shares, 0)`,
  },
  {
    invariant: 'I8',
    name: 'a delegation is under way or has ended',
    sample: 'whole',
    sql: `select format('delegation of address %s to validator %s has ended and holds %s', d.address_id, d.validator_id, d.amount) as detail
          from delegation d join ended_delegation e using (address_id, validator_id)`,
  },
  {
    invariant: 'I8',
    name: 'delegated and unbonding of accounts are sums of their entries',
    sample: 'whole',
    sql: `select format('address %s: delegated %s, entries %s; unbonding %s, entries %s', a.id, a.delegated, d.amount, a.unbonding, u.amount) as detail
          from address a
          left join (select address_id, sum(amount) amount from delegation group by 1) d on d.address_id = a.id
          left join (select address_id, sum(amount) amount from undelegation group by 1) u on u.address_id = a.id
          where a.delegated <> coalesce(d.amount, 0) or a.unbonding <> coalesce(u.amount, 0)`,
  },
]
