import type { Check } from './check.ts'

/** An index that is older than the history knows no first balances. */
const isWhole = '(select first_height from history_span) = (select min(height) from block)'

const changes = `(select c.id, c.address_id, c.amount, c.balance, t.part, t.denom
                  from balance_change c join balance_change_type t on t.id = c.type_id)`

/** Present accounts and supply, in the form of the history. */
const present = `(select id as address_id, part, 'utia' as denom, amount
                  from address, lateral (values ('spendable', spendable), ('delegated', delegated), ('unbonding', unbonding)) as v (part, amount)
                  union all select address_id, 'spendable', denom, amount from balance
                  union all select 0, 'supply', denom, amount from supply)`

/** I14: history leads from nothing to the present, and at every height the accounts together have the supply. */
export const historyChecks: Check[] = [
  {
    invariant: 'I14',
    name: 'each change of a balance begins where the one before it ended',
    sql: `select format('address %s, %s %s: change %s makes %s of %s by %s', address_id, part, denom, id, balance, before, amount) as detail
          from (select *, lag(balance) over (partition by address_id, part, denom order by id) as before from ${changes} c) t
          where balance - amount <> coalesce(before, 0) and (before is not null or ${isWhole})`,
  },
  {
    invariant: 'I14',
    name: 'the last change of a balance leads to the present',
    sql: `select format('address %s, %s %s: is %s, last change says %s', p.address_id, p.part, p.denom, p.amount, l.balance) as detail
          from ${present} p
          full join (select distinct on (address_id, part, denom) * from ${changes} c order by address_id, part, denom, id desc) l
            using (address_id, part, denom)
          where p.amount is distinct from l.balance and (l.id is not null or p.amount <> 0 and ${isWhole})`,
  },
  {
    invariant: 'I14',
    name: 'changes of balances sum up to the change of the supply at every height',
    sql: `select format('height %s, %s: balances %s, supply %s', height, denom, coins, supply) as detail
          from (select id >> 24 as height, denom, coalesce(sum(amount) filter (where part = 'spendable'), 0) as coins,
                       coalesce(sum(amount) filter (where part = 'supply'), 0) as supply
                from ${changes} c group by 1, 2) t
          where coins <> supply`,
  },
  {
    invariant: 'I14',
    name: 'changes of the stake of validators lead to the present',
    sql: `select format('validator %s: change %s makes %s of %s by %s; it is %s', validator_id, s.id, s.stake, before, amount, v.stake) as detail
          from (select *, lag(stake) over (partition by validator_id order by id) as before,
                       lead(stake) over (partition by validator_id order by id) as next from stake_change) s
          join validator v on v.id = s.validator_id
          where s.stake - amount <> coalesce(before, 0) and (before is not null or ${isWhole}) or next is null and s.stake <> v.stake`,
  },
]
