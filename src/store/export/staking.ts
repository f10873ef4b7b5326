import { membersBetween } from '../read/validator-set.ts'
import { type Dataset, HEIGHT, placeId, TIME } from './dataset.ts'

const VALIDATOR_ID = ['int64', 'validator (validators.id)'] as const
const CONS_ADDRESS = ['hex', 'consensus address of the validator'] as const

export const stakeMoves: Dataset = {
  name: 'stake_moves',
  about: 'stake that came to or left a validator',
  columns: {
    height: HEIGHT,
    id: placeId('movement'),
    time: TIME,
    type: ['text', 'delegation, unbonding, unbonded, rewards, commissions or slashing'],
    validator_id: VALIDATOR_ID,
    validator_cons_address: CONS_ADDRESS,
    account: ['address?', 'delegator (accounts.address)'],
    amount: ['fraction', 'utia that came to the validator; negative for what left it, or was paid out'],
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.type, x.validator_id, v.cons_address as validator_cons_address, a.address as account, x.amount
    from staking_log x
    join validator v on v.id = x.validator_id
    left join address a on a.id = x.address_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const jails: Dataset = {
  name: 'jails',
  about: 'validators that were jailed, and what they lost',
  columns: {
    height: HEIGHT,
    id: placeId('jailing'),
    time: TIME,
    validator_id: VALIDATOR_ID,
    validator_cons_address: CONS_ADDRESS,
    reason: ['text', 'missing_signature or double_sign'],
    burned: ['fraction', 'utia that were slashed'],
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.validator_id, v.cons_address as validator_cons_address, x.reason, x.burned
    from jail x
    join validator v on v.id = x.validator_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const signals: Dataset = {
  name: 'signals',
  about: 'signals of validators for a version of the chain',
  columns: {
    height: HEIGHT,
    id: placeId('signal'),
    time: TIME,
    tx_id: ['int64?', 'transaction (txs.id)'],
    validator_id: VALIDATOR_ID,
    validator_cons_address: CONS_ADDRESS,
    version: ['int64', 'application version that it signalled for'],
    voting_power: ['decimal', 'power of the validator at that moment'],
  },
  select: (sql, { from, to }) => sql`
    select x.height, x.id, x.time, x.tx_id, x.validator_id, v.cons_address as validator_cons_address, x.version, x.voting_power
    from signal_version x
    join validator v on v.id = x.validator_id
    where x.height between ${from} and ${to}
    order by x.height, x.id`,
}

export const signatures: Dataset = {
  name: 'signatures',
  about: 'validators that signed each block, and those of its set that did not',
  columns: {
    height: ['int64', 'height of the block that holds the signatures (blocks.height)'],
    time: ['time', 'time of that block'],
    signed_height: ['int64', 'height of the block that was signed: one less'],
    signed: ['list', 'ids of the validators that signed it (validators.id), ascending'],
    missed: ['list', 'ids of the validators in its set that did not sign it (validators.id), ascending'],
  },
  select: (sql, { from, to }) => sql`
    with member as materialized (${membersBetween(sql, from - 1, to - 1)})
    select b.height, b.time, b.height - 1 as signed_height,
           coalesce((
             select json_agg(v.id order by v.id) from validator v
             where v.id < octet_length(b.signers) * 8 and get_bit(b.signers, v.id::bigint) = 1
           ), '[]')::text as signed,
           coalesce((
             select json_agg(m.validator_id order by m.validator_id) from member m
             where b.height - 1 between m.first_height and m.last_height
               and not (m.validator_id < octet_length(b.signers) * 8 and get_bit(b.signers, m.validator_id::bigint) = 1)
           ), '[]')::text as missed
    from block b
    where b.height between ${from} and ${to} and b.height > (select min(height) + 1 from block)
    order by b.height`,
}

export const uptimeHours: Dataset = {
  name: 'uptime_hours',
  about: 'blocks that each validator had to sign and signed, hour by hour',
  columns: {
    height: ['int64', 'height of the first block after the hour (blocks.height)'],
    hour: ['time', 'beginning of the hour; the blocks that hold the signatures are counted in it'],
    validator_id: ['int64', 'validator that was in the set (validators.id)'],
    expected: ['int64', 'blocks that it had to sign'],
    signed: ['int64', 'blocks that it signed'],
    missed: ['int64', 'blocks that it did not sign'],
  },
  // An hour belongs to the file with the first block after it: it is complete, and whole in one file.
  select: (sql, { from, to }) => sql`
    with hour as materialized (
      select b.height as height, date_trunc('hour', p.time) as start
      from block b
      join block p on p.height = b.height - 1
      where b.height between ${from} and ${to} and date_trunc('hour', p.time) < date_trunc('hour', b.time)
    ), first as materialized (
      select coalesce(min(b.height), ${from}) as height
      from block b
      where b.time >= (select min(start) from hour)
    ), member as materialized (${membersBetween(sql, sql`select height - 1 from first`, to)})
    select h.height, h.start as hour, m.validator_id, count(*) as expected, sum(s.bit)::bigint as signed, count(*) - sum(s.bit)::bigint as missed
    from hour h
    join block b on b.height >= (select height from first) and b.height < h.height and b.time >= h.start
    join member m on b.height - 1 between m.first_height and m.last_height
    cross join lateral (
      select case when m.validator_id < octet_length(b.signers) * 8 then get_bit(b.signers, m.validator_id::bigint) else 0 end as bit
    ) s
    where b.height > (select base_height + 1 from index_start)
    group by h.height, h.start, m.validator_id
    order by h.height, m.validator_id`,
}
