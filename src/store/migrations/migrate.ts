import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { OperatorError } from '../../lib/errors.ts'
import { packagePath } from '../../lib/package-path.ts'
import { openClient } from '../servers/client.ts'
import { connectClient } from '../servers/connect.ts'

export type Migration = { version: number; name: string; sql: string }

/** `shared` holds keys, plans and payments once per database; `network` the tables of one chain. */
export type MigrationSet = 'shared' | 'network'

export const SHARED_SCHEMA = 'astrolabe'

const LOCK_CLASS = 0x6d6967 // "mig"

export async function readMigrations(set: MigrationSet): Promise<Migration[]> {
  const folder = packagePath('src/store/migrations', set)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({ version: Number.parseInt(name, 10), name, sql: await readFile(join(folder, name), 'utf8') })),
  )
}

/**
 * Brings a schema up to date: forward only, one transaction each, under a lock so that several processes may start at once.
 * Refuses a schema that is newer than this program. `wanted` stops at an older version.
 */
export async function migrate(
  url: string,
  schema: string,
  set: MigrationSet,
  onApplied: (migration: Migration) => void = () => {},
  wanted?: readonly Migration[],
): Promise<number> {
  const migrations = wanted ?? (await readMigrations(set))
  const client = await connectClient(url, { application_name: `astrolabe migrate ${schema}`, connectionTimeoutMillis: 5000 })
  try {
    // A server that only reads has no right to create anything, and needs none when there is nothing to do.
    if (await isUpToDate(client, schema, migrations)) return migrations.at(-1)?.version ?? 0
    await client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, schema])
    await client.query(`create schema if not exists "${schema}"`)
    await client.query(`set search_path to "${schema}"`)
    await client.query('create table if not exists migration (version integer primary key, name text not null)')
    const { rows } = await client.query<{ version: number }>('select version from migration order by version')
    const newest = rows.at(-1)?.version ?? 0
    const known = migrations.at(-1)?.version ?? 0
    if (newest > known)
      throw new OperatorError(
        'schema_too_new',
        `schema ${schema} is at version ${newest}, this program knows ${known}: use a newer program`,
      )
    const applied = new Set(rows.map(({ version }) => version))
    for (const migration of migrations) {
      if (applied.has(migration.version)) continue
      await client.query('begin')
      await client.query(migration.sql)
      await client.query('insert into migration (version, name) values ($1, $2)', [migration.version, migration.name])
      await client.query('commit')
      onApplied(migration)
    }
    return known
  } finally {
    await client.end()
  }
}

/** For a server that takes no writes: what it shows must be what this program knows. */
export async function requireMigrated(url: string, schema: string, set: MigrationSet): Promise<void> {
  const migrations = await readMigrations(set)
  const client = await openClient(url, { connectionTimeoutMillis: 5000 })
  try {
    if (await isUpToDate(client, schema, migrations)) return
  } finally {
    await client.end()
  }
  throw new OperatorError(
    'schema_not_ready',
    `the primary is away, and schema ${schema} of the replica is not the one of this program: bring the primary back and run \`astrolabe migrate\``,
  )
}

async function isUpToDate(client: pg.Client, schema: string, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    `"${schema}".migration`,
  ])
  if (!rows[0]?.found) return false
  const applied = await client.query<{ version: number }>(`select version from "${schema}".migration order by version`)
  const versions = applied.rows.map(({ version }) => version)
  return versions.length === migrations.length && migrations.every(({ version }, i) => versions[i] === version)
}
