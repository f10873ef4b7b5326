import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Tables that operators and outside sources fill; everything else follows from the chain alone (I3). */
const NOT_FROM_CHAIN = new Set(['migration', 'rollup', 'rollup_provider', 'celestial', 'celestial_state', 'price', 'registry'])

/** Counts commits, and says how the index was made and not what it holds. */
const COMMIT_NUMBER = 'commit_number'

/** Such tables are read by one statement, and most tables of a test have no page at all. */
const SMALL_BYTES = 4 * 2 ** 20

export type TableDigest = { table: string; rows: number; hash: string }

/** Ordered content of every table of a schema, hashed: two indexes of one chain must agree byte for byte. */
export async function digestTables(client: pg.ClientBase, schema: string): Promise<TableDigest[]> {
  const { rows: tables } = await client.query<{
    name: string
    columns: string[]
    key: string[]
    isSmall: boolean
    isEmpty: boolean
  }>(
    `select c.relname as name,
            (select array_agg(quote_ident(a.attname) order by a.attnum)
             from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> $2)::text[] as columns,
            (select array_agg(quote_ident(a.attname) order by k.position)
             from unnest(i.indkey) with ordinality as k(attnum, position)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum)::text[] as key,
            c.relkind = 'r' and pg_relation_size(c.oid) = 0 as "isEmpty",
            c.relkind = 'r' and pg_total_relation_size(c.oid) < ${SMALL_BYTES} as "isSmall"
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_index i on i.indrelid = c.oid and i.indisprimary
     where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
    [schema, COMMIT_NUMBER],
  )
  const digests: TableDigest[] = []
  for (const { name, columns, key, isEmpty, isSmall } of tables) {
    if (NOT_FROM_CHAIN.has(name)) continue
    const hash = createHash('sha256')
    let rows = 0
    const lines = `select row(${columns.join(', ')})::text as line from "${schema}"."${name}" order by ${key.join(', ')}`
    if (!isEmpty)
      for await (const page of isSmall ? [(await client.query<Line>(lines)).rows] : readPages(client, lines)) {
        for (const { line } of page) hash.update(line).update('\n')
        rows += page.length
      }
    digests.push({ table: name, rows, hash: hash.digest('hex') })
  }
  return digests
}

type Line = { line: string }

/** A page at a time: large tables do not fit in memory at once. */
async function* readPages(client: pg.ClientBase, lines: string): AsyncGenerator<Line[]> {
  await client.query('begin')
  await client.query(`declare dump cursor for ${lines}`)
  for (;;) {
    const { rows } = await client.query<Line>('fetch 5000 from dump')
    yield rows
    if (rows.length < 5000) break
  }
  await client.query('commit')
}
