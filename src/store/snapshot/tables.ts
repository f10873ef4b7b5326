import type pg from 'pg'

/**
 * What is not of the chain, or of the moment: off-chain sources fill it again, migrations are named in the manifest. How tables are cut is
 * the matter of each index: a restored one is not.
 */
const LEFT_OUT = [
  'migration',
  'celestial',
  'price',
  'registry',
  'source_head',
  'state_proof',
  'unverified',
  'undo_step',
  'partitioning',
  'tx_hash',
]

export type TableColumns = { name: string; columns: string[] }

/**
 * Every table of a network that belongs into a snapshot. The rollup registry does, although operators fill it: links, counters and undo
 * records follow from it.
 */
export async function listTables(client: pg.ClientBase, schema: string): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($2)
     group by 1
     order by 1`,
    [`"${schema}"`, LEFT_OUT],
  )
  return rows
}

export async function listMigrations(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ version: number }>('select version from migration order by version')
  return rows.map(({ version }) => version)
}

export const quoted = (name: string) => `"${name}"`

/** A partitioned table cannot be copied by its name. */
export const selectAll = ({ name, columns }: TableColumns) => `select ${columns.map(quoted).join(', ')} from ${quoted(name)}`

/** `table (columns)` of a COPY, by name: a table that was migrated may have its columns in another order. */
export const copyTarget = ({ name, columns }: TableColumns) => `${quoted(name)} (${columns.map(quoted).join(', ')})`
