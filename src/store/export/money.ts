import type { Db } from '../db.ts'
import { firstId } from '../pack/id.ts'
import type { Fragment } from '../sql/fragment.ts'
import { type Dataset, HEIGHT, type HeightRange, TIME } from './dataset.ts'

/** Changes of accounts within heights, as `c` with their type `y`; the supply has changes too, of no account. */
const changesOf = (sql: Db, { from, to }: HeightRange): Fragment => sql`
  balance_change c
  join balance_change_type y on y.id = c.type_id
  join address a on a.id = c.address_id
  where c.id >= ${firstId(from)} and c.id < ${firstId(to + 1)}`

const PART = 'spendable, delegated or unbonding'

const changeColumns = {
  height: HEIGHT,
  id: ['int64', 'id of the change; one transfer changes two accounts under one id'],
  time: TIME,
  tx_id: [
    'int64?',
    'transaction that caused the change (txs.id); null for what the chain did by itself, and for module accounts, whose changes are summed over a block',
  ],
  account: ['address', 'account that changed (accounts.address)'],
  part: ['text', PART],
  cause: ['text', 'reason of the change, such as transfer, fee, reward, delegate'],
  denom: ['text', 'denomination of amount and balance'],
  amount: ['digits', 'change; negative for what left'],
  balance: ['digits', 'amount of the part after the change'],
} as const

const selectChanges = (sql: Db, range: HeightRange, filter: Fragment): Fragment => sql`
  select b.height, x.id, b.time, greatest(b.height::bigint << 24, 1) + x.tx as tx_id, x.account, x.part, x.cause, x.denom, x.amount,
         x.balance
  from (
    select c.id, c.tx, c.type_id, a.address as account, y.part, y.cause, y.denom, c.amount, c.balance
    from ${changesOf(sql, range)} ${filter}
  ) x
  join block b on b.height = (x.id >> 24)::integer
  order by x.id, x.account, x.type_id`

export const balanceChanges: Dataset = {
  name: 'balance_changes',
  about: 'changes of what accounts hold, have delegated or are unbonding, with the cause and the amount after it',
  columns: changeColumns,
  select: (sql, range) => selectChanges(sql, range, sql``),
}

export const rewards: Dataset = {
  name: 'rewards',
  about: 'rewards and commissions that accounts were paid',
  columns: changeColumns,
  select: (sql, range) => selectChanges(sql, range, sql`and y.cause in ('reward', 'commission')`),
}

export const balances: Dataset = {
  name: 'balances',
  about: 'what an account has after the heights of a file, where it changed in them',
  columns: {
    height: ['int64', 'height of the last change in the heights of the file (blocks.height)'],
    account: ['address', 'account (accounts.address)'],
    part: ['text', PART],
    denom: ['text', 'denomination of the balance'],
    balance: ['digits', 'amount after that height; the row with the greatest height counts'],
  },
  select: (sql, range) => sql`
    select distinct on (a.address, y.part, y.denom)
           (c.id >> 24)::integer as height, a.address as account, y.part, y.denom, c.balance
    from ${changesOf(sql, range)}
    order by a.address, y.part, y.denom, c.id desc`,
}
