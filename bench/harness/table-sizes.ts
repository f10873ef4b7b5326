import pg from 'pg'

/** Bytes by table with its indexes, and together; undo records, of which there are never more than a few, are left out. */
export type TableSizes = { database: number; tables: Map<string, number>; blocks: number; txs: number }

/** Those in `compact`, or all, are rewritten first, so that no dead row of them counts. */
export async function readSizes(
  url: string,
  schema: string,
  { compact = [] }: { compact?: readonly string[] | 'all' } = {},
): Promise<TableSizes> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    if (compact === 'all') await client.query('vacuum full')
    else for (const table of compact) await client.query(`vacuum full "${schema}"."${table}"`)
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select c.relname as name, pg_total_relation_size(c.oid) as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind = 'r' and c.relname <> 'undo'`,
      [schema],
    )
    const tables = new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
    const head = await client.query<{ last_height: number; total_tx: string }>(
      `select last_height, total_tx from "${schema}".head`,
    )
    const { last_height: blocks, total_tx: txs } = head.rows[0]!
    return { tables, database: [...tables.values()].reduce((sum, bytes) => sum + bytes, 0), blocks, txs: Number(txs) }
  } finally {
    await client.end()
  }
}
