import type { Reader } from '../db.ts'
import { blockBucketTable, extremeTable } from '../state/block-series-tables.ts'
import { blobSizeTable, messageBucketTable, signatureBucketTable, squareBucketTable } from '../state/count-series-tables.ts'
import {
  addressBucketTable,
  hyperlaneBucketTable,
  ibcBucketTable,
  namespaceBucketTable,
  rollupBucketTable,
  rollupNamespaceTable,
} from '../state/owner-series-tables.ts'
import { stakingBucketTable } from '../state/staking-series-tables.ts'
import { type Check, runChecks, type Violation } from './check.ts'
import {
  ADDRESS_BUCKETS,
  BLOB_SIZE_BUCKETS,
  BLOCK_BUCKETS,
  EXTREME_BUCKETS,
  HYPERLANE_BUCKETS,
  IBC_BUCKETS,
  MESSAGE_BUCKETS,
  NAMESPACE_BUCKETS,
  ROLLUP_BUCKETS,
  ROLLUP_NAMESPACES,
  SIGNATURE_BUCKETS,
  SQUARE_BUCKETS,
  STAKING_BUCKETS,
} from './recompute.ts'
import { checkRewards } from './reward-checks.ts'

type Table = { name: string; key: string[]; columns: object }

/** Rows that are there and must not be, are missing, or hold another value. */
function compare({ name, key, columns }: Table, expected: string, { mayMiss = false } = {}): Check {
  const values = Object.keys(columns).filter((column) => !key.includes(column))
  const row = (alias: string) => `row(${values.map((column) => `${alias}.${column}`).join(', ')})`
  return {
    invariant: 'I9',
    name,
    sql: `select format('${name} %s: bucket %s, recomputed %s', row(${key.join(', ')}), to_json(b), to_json(e)) as detail
          from ${name} b
          ${mayMiss ? 'left' : 'full'} join (${expected}) e using (${key.join(', ')})
          where b is null or e is null or ${row('b')} is distinct from ${row('e')}`,
  }
}

/** I9: every bucket equals a recompute from the base tables. */
export const seriesChecks: Check[] = [
  compare(blockBucketTable, BLOCK_BUCKETS),
  compare(extremeTable, EXTREME_BUCKETS),
  compare(messageBucketTable, MESSAGE_BUCKETS),
  compare(blobSizeTable, BLOB_SIZE_BUCKETS),
  compare(squareBucketTable, SQUARE_BUCKETS),
  // Buckets that began before the table was there have no row until they are filled.
  compare(signatureBucketTable, SIGNATURE_BUCKETS, { mayMiss: true }),
  compare(namespaceBucketTable, NAMESPACE_BUCKETS),
  compare(addressBucketTable, ADDRESS_BUCKETS),
  compare(rollupBucketTable, ROLLUP_BUCKETS),
  compare(rollupNamespaceTable, ROLLUP_NAMESPACES),
  compare(stakingBucketTable, STAKING_BUCKETS),
  compare(ibcBucketTable, IBC_BUCKETS),
  compare(hyperlaneBucketTable, HYPERLANE_BUCKETS),
  {
    invariant: 'I9',
    name: 'stake_month ends at the present stake',
    sql: `select format('validator %s: last month says %s, the validator %s', v.id, m.stake, v.stake) as detail
          from validator v
          left join lateral (select stake from stake_month where validator_id = v.id order by time desc limit 1) m on true
          where coalesce(m.stake, 0) <> v.stake`,
  },
]

export async function* checkSeries(sql: Reader): AsyncGenerator<Violation> {
  for await (const { violations } of runChecks(sql, seriesChecks)) yield* violations
  yield* checkRewards(sql)
}
