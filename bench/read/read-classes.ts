import { encodeAddress } from '../../src/lib/encoding/bech32.ts'
import { openReader } from '../../src/store/db.ts'

const OBJECTS = 40

/**
 * Real objects of the index, spread over it. A series has every hour or day since the genesis; with `seriesSeconds` only those of the
 * last so many seconds, so that indexes of different lengths are asked for answers of one size.
 */
export async function requestClasses(
  url: string,
  schema: string,
  { seriesSeconds }: { seriesSeconds?: number } = {},
): Promise<Record<string, string[]>> {
  const sql = openReader({ url, schema, max: 1 })
  try {
    const points = sql`(select (i * last_height / ${OBJECTS})::int as at from head, generate_series(0, ${OBJECTS - 1}) i) p`
    const heights = (
      await sql<{ height: number }[]>`
        select distinct b.height from ${points} cross join lateral
          (select height from block where height >= at and tx_count > 0 order by height limit 1) b order by 1`
    ).map((row) => row.height)
    const hashes = (
      await sql<{ hash: string }[]>`
        select distinct encode(t.hash, 'hex') as hash from ${points} cross join lateral
          (select hash from tx where height >= at and hash is not null order by height limit 1) t order by 1`
    ).map((row) => row.hash)
    const namespaces = await sql<
      { id: string; version: number }[]
    >`select encode(namespace_id, 'hex') as id, version from namespace order by id limit 10`
    const signers = (
      await sql<{ address: string }[]>`
      select encode(a.address, 'hex') as address from address a where exists (select 1 from blob b where b.signer_id = a.id) order by id limit 20`
    ).map((row) => encodeAddress('celestia', row.address))
    const validators = (await sql<{ id: number }[]>`select id from validator order by id limit 10`).map((row) => row.id)
    const [head] = await sql<{ time: number }[]>`select extract(epoch from last_time)::int as time from head`
    const period = seriesSeconds === undefined ? '' : `?from=${head!.time - seriesSeconds}`
    const perSigner = (path: (signer: string) => string) => signers.map(path)
    const classes: Record<string, string[]> = {
      head: ['/head'],
      'block with stats': heights.map((height) => `/block/${height}?stats=true`),
      'block list with stats': ['/block?stats=true&sort=desc&limit=10', '/block?stats=true&limit=20&offset=30'],
      'tx by hash': hashes.map((hash) => `/tx/${hash}`),
      'tx messages': hashes.map((hash) => `/tx/${hash}/messages`),
      'tx events': hashes.map((hash) => `/tx/${hash}/events`),
      'tx list': ['/tx?limit=10&sort=desc', '/tx?limit=10&sort=desc&offset=50', '/tx?limit=10&msg_type=MsgPayForBlobs&sort=desc'],
      'blob list': ['/blob?limit=10', '/blob?limit=10&offset=40', '/blob?limit=10&sort_by=size'],
      'blobs by namespace': namespaces.map(({ id, version }) => `/namespace/${id}/${version}/blobs?limit=10`),
      'blobs by signer': perSigner((signer) => `/blob?limit=10&signers=${signer}`),
      address: perSigner((signer) => `/address/${signer}`),
      'address txs': perSigner((signer) => `/address/${signer}/txs?limit=10&sort=desc`),
      'address messages': perSigner((signer) => `/address/${signer}/messages?limit=10&sort=desc`),
      namespaces: ['/namespace?limit=10&sort_by=size', '/namespace?limit=10'],
      'validators, uptime': ['/validators?limit=10', ...validators.map((id) => `/validators/${id}/uptime?limit=100`)],
      'block events': heights.map((height) => `/block/${height}/events?limit=10`),
      search: [
        ...hashes.slice(0, 10).map((hash) => `/search?query=${hash}`),
        ...signers.slice(0, 10).map((signer) => `/search?query=${signer}`),
      ],
      series: ['tx_count/hour', 'blobs_size/day', 'tps/day', 'fee/hour'].map((name) => `/stats/series/${name}${period}`),
    }
    return { ...classes, mix: interleave(Object.values(classes)) }
  } finally {
    await sql.end()
  }
}

/** One request of each class in turn. */
function interleave(lists: string[][]): string[] {
  const longest = Math.max(...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, i) => lists.map((list) => list[i % list.length]!)).flat()
}
