import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { OperatorError } from '../../lib/errors.ts'
import { type Migration, migrate, readMigrations } from '../migrations/migrate.ts'
import { connectClient } from '../servers/connect.ts'
import { countCommit } from '../servers/head-notice.ts'
import { tryWriterLock } from '../servers/writer-lock.ts'
import { markAllUnverified } from '../write/unverified.ts'
import { fileOf, type Manifest, type SnapshotTable } from './manifest.ts'
import { copyTarget, listMigrations, listTables, quoted } from './tables.ts'
import { unpackFile } from './unpack.ts'

export type RestoreOptions = {
  url: string
  /** missing or empty */
  schema: string
  folder: string
  manifest: Manifest
  signal: AbortSignal
  onTable?: (table: SnapshotTable, total: number) => void
  /** Compares the rows, in a schema that nobody serves from yet, with the chain; what it throws takes the restore back. */
  verify?: (schema: string) => Promise<void>
}

/** The migrations that made the tables of a snapshot. One of a newer program is refused. */
export async function migrationsOf({ migrations }: Manifest): Promise<Migration[]> {
  const known = await readMigrations('network')
  const missing = migrations.filter((version) => !known.some((migration) => migration.version === version))
  if (missing.length > 0)
    throw new OperatorError(
      'snapshot_too_new',
      `the snapshot is of schema version ${migrations.at(-1)}, this program knows ${known.at(-1)?.version} (unknown: ${missing.join(', ')}): use a newer program`,
    )
  return known.filter(({ version }) => migrations.includes(version))
}

/**
 * Fills the empty schema of a network from a snapshot whose files have been checked: the tables as they were made, all rows or none, then
 * the migrations that came later. The schema has another name until its rows are verified, so that nothing false is served. An index that continues from here is the same as one from genesis.
 */
export async function restoreSnapshot(options: RestoreOptions): Promise<void> {
  const { url, schema, manifest } = options
  // No network has a schema of such a name.
  const unverified = `unverified_${schema}`
  const migrations = await migrationsOf(manifest)
  const client = await connectClient(url, { application_name: `astrolabe restore ${schema}`, connectionTimeoutMillis: 5000 })
  const stop = () => void client.end()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    if (!(await tryWriterLock(client, schema)))
      throw new OperatorError('writer_at_work', `an indexer is at work on schema ${schema}: stop it, then restore`)
    await checkVersion(client, schema, manifest)
    await migrate(url, schema, 'network', () => {}, migrations)
    await client.query(`set search_path to "${schema}"; set statement_timeout to 0; set maintenance_work_mem to '256MB'`)
    await checkTables(client, schema, manifest)
    await client.query('begin')
    await fillTables(client, options)
    await checkContent(client, manifest)
    await moveSchema(client, schema, unverified)
    await client.query('commit')
    await client.query(`set search_path to "${unverified}"`)
    await migrate(url, unverified, 'network')
    await markAllUnverified(client)
    // Without statistics the first answers would scan whole tables.
    for (const { name } of await listTables(client, unverified)) await client.query(`analyze ${quoted(name)}`)
    await options.verify?.(unverified).catch(async (error) => {
      await client.query(`drop schema "${unverified}" cascade`)
      throw error
    })
    await moveSchema(client, unverified, schema)
    await client.query(`set search_path to "${schema}"`)
    await countCommit(client, schema)
  } finally {
    options.signal.removeEventListener('abort', stop)
    // Ending the connection takes back what was not committed.
    await client.end()
  }
}

/** One that stands there was left by a restore that was killed. */
async function moveSchema(client: pg.Client, from: string, to: string): Promise<void> {
  await client.query(`drop schema if exists "${to}" cascade; alter schema "${from}" rename to "${to}"`)
}

/** Tables of another version cannot take the rows, and there is no way back to the version of the snapshot. */
async function checkVersion(client: pg.Client, schema: string, { migrations }: Manifest): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    `"${schema}".migration`,
  ])
  if (!rows[0]?.found) return
  await client.query(`set search_path to "${schema}"`)
  const applied = await listMigrations(client)
  if (applied.every((version) => migrations.includes(version))) return
  throw new OperatorError(
    'other_version',
    `schema ${schema} is at version ${applied.at(-1)}, the snapshot at ${migrations.at(-1)}: if the schema is empty, drop it (drop schema "${schema}" cascade) and restore again`,
  )
}

async function checkTables(client: pg.Client, schema: string, manifest: Manifest): Promise<void> {
  const found = await listTables(client, schema)
  const describe = (tables: readonly { name: string; columns: readonly string[] }[]) =>
    tables.map(({ name, columns }) => `${name} (${[...columns].sort().join(', ')})`).sort()
  const [expected, given] = [describe(found), describe(manifest.tables)]
  const different = [...expected.filter((table) => !given.includes(table)), ...given.filter((table) => !expected.includes(table))]
  if (different.length > 0)
    throw new OperatorError(
      'other_tables',
      `the tables of the snapshot are not those of its schema version: ${different[0]!.split(' ')[0]} differs`,
    )
  for (const { name } of found) {
    const { rowCount } = await client.query(`select from ${quoted(name)} limit 1`)
    if (rowCount !== 0)
      throw new OperatorError(
        'not_empty',
        `schema ${schema} is not empty (${name} has rows): restore into a network without an index`,
      )
  }
}

async function fillTables(client: pg.Client, { schema, folder, manifest, onTable, signal }: RestoreOptions): Promise<void> {
  const { tables } = manifest
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition
     from pg_index i
     join pg_class c on c.oid = i.indexrelid
     join pg_class t on t.oid = i.indrelid
     where c.relnamespace = $1::regnamespace and t.relname = any($2)
       and not exists (select from pg_constraint where conindid = c.oid)
     order by 1`,
    [`"${schema}"`, tables.map(({ name }) => name)],
  )
  // An index is made much faster from all rows at once than row by row.
  for (const { name } of indexes) await client.query(`drop index ${quoted(name)}`)
  // In the transaction that truncates a table its rows may be written frozen: nobody has to visit them again.
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  for (const table of tables) {
    const target = client.query(copyFrom(`copy ${copyTarget(table)} from stdin with (format binary, freeze)`))
    try {
      await pipeline(createReadStream(join(folder, fileOf(table))), ...unpackFile(table.bytes), target, { signal })
    } catch (error) {
      signal.throwIfAborted()
      throw new OperatorError(
        'damaged_snapshot',
        `table ${table.name} cannot be restored: ${(error as Error).message}`,
        {},
        error,
      )
    }
    if (target.rowCount !== table.rows)
      throw new OperatorError(
        'damaged_snapshot',
        `table ${table.name} has ${target.rowCount} rows, the manifest says ${table.rows}`,
      )
    onTable?.(table, tables.length)
  }
  for (const { definition } of indexes) await client.query(definition)
}

/** The nodes confirmed the block of the manifest: it has to be the one that the rows end with. */
async function checkContent(client: pg.Client, { chain_id, genesis_hash, height, block_hash }: Manifest): Promise<void> {
  const { rowCount } = await client.query(
    `select from head h
     join block b on b.height = h.last_height and b.hash = h.last_hash
     where h.chain_id = $1 and encode(h.genesis_hash, 'hex') = $2 and h.last_height = $3 and encode(h.last_hash, 'hex') = $4
       and h.last_height = (select max(height) from block)`,
    [chain_id, genesis_hash, height, block_hash],
  )
  if (rowCount !== 1)
    throw new OperatorError(
      'other_content',
      `the rows of the snapshot do not end with block ${height} of ${chain_id}, as its manifest says`,
    )
}
