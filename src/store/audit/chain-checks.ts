import type { Check } from './check.ts'

/** I2: heights without gaps, each block names the one before it. */
export const linkChecks: Check[] = [
  {
    invariant: 'I2',
    name: 'heights are contiguous',
    sample: 'range',
    sql: `select format('after %s comes %s', height, next) as detail
          from (select height, lead(height) over (order by height) as next from block) b where next <> height + 1`,
  },
  {
    invariant: 'I2',
    name: 'parent hashes link',
    sample: 'range',
    sql: `select format('block %s does not name %s as its parent', b.height, p.height) as detail
          from block b join block p on p.height = b.height - 1
          where p.hash <> '' and b.parent_hash <> p.hash`,
  },
  {
    invariant: 'I1',
    name: 'the head row is the last block',
    sample: 'whole',
    sql: `select format('head says %s %s, the last block is %s %s', h.last_height, h.last_time, b.height, b.time) as detail
          from head h, (select height, time, hash from block order by height desc limit 1) b
          where h.last_height <> b.height or h.last_time <> b.time or h.last_hash <> b.hash`,
  },
]

/** Gas is cut to what a bigint holds, in txs and in their sum (`cappedInt8`). */
const cutGas = (sum: string) => `least(coalesce(${sum}, 0), 9223372036854775807)`

/** I6: what is shown as a count is a count. */
export const counterChecks: Check[] = [
  {
    invariant: 'I6',
    name: 'txs of a block',
    sample: 'range',
    sql: `select format('block %s: tx_count %s, fee %s, gas %s/%s; rows say %s, %s, %s/%s', b.height, b.tx_count, b.fee, b.gas_limit, b.gas_used,
                        t.n, t.fee, t.gas_limit, t.gas_used) as detail
          from block b
          left join (select height, count(*) n, sum(fee) fee, sum(gas_wanted) gas_limit, sum(gas_used) gas_used, sum(events_count) events
                     from tx group by height) t using (height)
          where b.tx_count <> coalesce(t.n, 0) or b.fee <> coalesce(t.fee, 0) or b.gas_limit <> ${cutGas('t.gas_limit')}
             or b.gas_used <> ${cutGas('t.gas_used')} or b.tx_events_count <> coalesce(t.events, 0)`,
  },
  {
    invariant: 'I6',
    name: 'messages of a block and of a tx',
    sample: 'range',
    sql: `select format('block %s: messages_count %s, rows say %s', b.height, b.messages_count, coalesce(m.n, 0)) as detail
          from block b left join (select height, count(*) n from message group by height) m using (height)
          where b.messages_count <> coalesce(m.n, 0)`,
  },
  {
    invariant: 'I6',
    name: 'blobs of a block',
    sample: 'range',
    sql: `select format('block %s: %s blobs of %s bytes, rows say %s of %s', b.height, b.blobs_count, b.blobs_size, coalesce(l.n, 0), coalesce(l.size, 0)) as detail
          from block b left join (select height, count(*) n, sum(size) size from blob group by height) l using (height)
          where b.blobs_count <> coalesce(l.n, 0) or b.blobs_size <> coalesce(l.size, 0)`,
  },
  {
    invariant: 'I6',
    name: 'fees of blobs sum up to the fee of their tx',
    sample: 'range',
    sql: `select format('tx %s pays %s, its blobs %s', t.id, t.fee, l.fee) as detail
          from (select height, tx_id, sum(fee) fee from blob group by height, tx_id) l
          join tx t on t.height = l.height and t.id = l.tx_id where t.fee <> l.fee`,
  },
  {
    invariant: 'I6',
    name: 'namespaces',
    sql: `select format('namespace %s: size %s, blobs %s, pfbs %s; rows say %s, %s, %s', n.id, n.size, n.blobs_count, n.pfb_count, m.size, l.n, m.n) as detail
          from namespace n
          left join (select namespace_id, count(*) n, sum(size) size from message_namespace group by 1) m on m.namespace_id = n.id
          left join (select namespace_id, count(*) n, sum(size) size from blob group by 1) l on l.namespace_id = n.id
          where n.size <> coalesce(m.size, 0) or n.size <> coalesce(l.size, 0) or n.blobs_count <> coalesce(l.n, 0) or n.pfb_count <> coalesce(m.n, 0)`,
  },
  {
    invariant: 'I6',
    name: 'rollups',
    sql: `select format('rollup %s: %s blobs, %s bytes, fee %s; rows say %s, %s, %s', r.rollup_id, r.blobs_count, r.size, r.fee, l.n, l.size, l.fee) as detail
          from rollup_stats r
          left join (select k.rollup_id, count(*) n, sum(b.size) size, sum(b.fee) fee
                     from blob_rollup k join blob b on b.height = (k.blob_id >> 24)::int and b.id = k.blob_id group by 1) l using (rollup_id)
          where r.blobs_count <> coalesce(l.n, 0) or r.size <> coalesce(l.size, 0) or r.fee <> coalesce(l.fee, 0)`,
  },
  {
    invariant: 'I6',
    name: 'messages of a validator',
    sql: `select format('validator %s: messages_count %s, rows say %s', v.id, v.messages_count, coalesce(m.n, 0)) as detail
          from validator v left join (select validator_id, count(*) n from message_validator group by 1) m on m.validator_id = v.id
          where v.messages_count <> coalesce(m.n, 0)`,
  },
  {
    invariant: 'I6',
    name: 'signers of txs are linked',
    sql: `select format('tx %s: signer links differ from its signers', t.id) as detail
          from (select id, unnest(signer_ids) as address_id from tx) t
          left join signer s on s.address_id = t.address_id and s.tx_id = t.id where s.tx_id is null`,
  },
  {
    invariant: 'I6',
    name: 'totals of the head row',
    sql: `select format('%s: head says %s, rows say %s', name, stated, counted) as detail
          from (
            select 'total_tx' as name, total_tx::numeric as stated, (select count(*) from tx)::numeric as counted from head
            union all select 'total_messages', total_messages, (select count(*) from message) from head
            union all select 'total_events', total_events, (select sum(events_count::bigint + tx_events_count) from block) from head
            union all select 'total_accounts', total_accounts, (select count(*) from address) from head
            union all select 'total_namespaces', total_namespaces, (select count(*) from namespace) from head
            union all select 'total_blobs', total_blobs, (select count(*) from blob) from head
            union all select 'total_blobs_size', total_blobs_size, (select coalesce(sum(size), 0) from blob) from head
            union all select 'total_fee', total_fee, (select sum(fee) from tx) from head
            union all select 'total_validators', total_validators, (select count(*) from validator) from head
            union all select 'total_proposals', total_proposals, (select count(*) from proposal) from head
            union all select 'total_ibc_clients', total_ibc_clients, (select count(*) from ibc_client) from head
            union all select 'total_vestings', total_vestings, (select count(*) from vesting_account) from head
          ) t where stated <> counted`,
  },
  {
    invariant: 'I6',
    name: 'first and last height of accounts',
    sql: `select format('address %s: heights %s to %s', a.id, a.first_height, a.last_height) as detail
          from address a, head h where a.first_height > a.last_height or a.last_height > h.last_height`,
  },
]
