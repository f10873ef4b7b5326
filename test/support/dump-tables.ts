import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Tables that operators and outside sources fill; everything else follows from the chain alone (I3). */
const NOT_FROM_CHAIN = new Set(['migration', 'rollup', 'rollup_provider', 'celestial', 'celestial_state', 'price', 'registry'])

/** Counts commits, and says how the index was made and not what it holds. */
const COMMIT_NUMBER = 'commit_number'

export type TableDigest = { table: string; rows: number; hash: string }

/** Ordered content of every table of a schema, hashed: two indexes of one chain must agree byte for byte. */
export async function digestTables(client: pg.ClientBase, schema: string): Promise<TableDigest[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; key: string[] }>(
    `select c.relname as name,
            (select array_agg(quote_ident(a.attname) order by a.attnum)
             from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> $2)::text[] as columns,
            (select array_agg(quote_ident(a.attname) order by k.position)
             from unnest(i.indkey) with ordinality as k(attnum, position)
             join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum)::text[] as key
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_index i on i.indrelid = c.oid and i.indisprimary
     where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
    [schema, COMMIT_NUMBER],
  )
  const digests: TableDigest[] = []
  for (const { name, columns, key } of tables) {
    if (NOT_FROM_CHAIN.has(name)) continue
    const hash = createHash('sha256')
    let rows = 0
    // Rows as text, a page at a time: large tables do not fit in memory at once.
    await client.query('begin')
    await client.query(
      `declare dump cursor for select row(${columns.join(', ')})::text as line from "${schema}"."${name}" order by ${key.join(', ')}`,
    )
    for (;;) {
      const page = await client.query<{ line: string }>('fetch 5000 from dump')
      for (const { line } of page.rows) hash.update(line).update('\n')
      rows += page.rows.length
      if (page.rows.length < 5000) break
    }
    await client.query('commit')
    digests.push({ table: name, rows, hash: hash.digest('hex') })
  }
  return digests
}
