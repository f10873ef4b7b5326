import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { OperatorError } from '../../lib/errors.ts'
import { demandWhole, readLayout } from '../partitions/layout.ts'
import { connectClient } from '../servers/connect.ts'
import { fileOf, type Manifest, type SnapshotTable, writeManifest } from './manifest.ts'
import { listMigrations, listTables, selectAll, type TableColumns } from './tables.ts'

export type SnapshotOptions = {
  url: string
  schema: string
  /** new or empty */
  folder: string
  /** as the manifest shall name it */
  program: string
  signal: AbortSignal
  onTable?: (table: SnapshotTable, total: number) => void
}

/** Hashes hardly shrink: what a higher level saves is not worth its time. */
const GZIP_LEVEL = 4

/**
 * Writes the tables of a network into a folder as one moment shows them, while everything runs. What fails leaves no files. Gives the
 * manifest, and the hash by which a publisher can name it.
 */
export async function makeSnapshot(options: SnapshotOptions): Promise<{ manifest: Omit<Manifest, 'format'>; sha256: string }> {
  const { url, schema, folder, program } = options
  const client = await connectClient(url, { application_name: `astrolabe snapshot ${schema}`, connectionTimeoutMillis: 5000 })
  const stop = () => void client.end()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    await client.query(`set search_path to "${schema}"; set statement_timeout to 0`)
    await client.query('begin isolation level repeatable read read only')
    const identity = await readIdentity(client)
    demandWhole((await readLayout(client))?.kept_from, 'a snapshot of it would not be whole')
    const migrations = await listMigrations(client)
    const wanted = await listTables(client, schema)
    await openFolder(folder)
    try {
      const tables: SnapshotTable[] = []
      for (const table of wanted) {
        const written = await copyTable(client, table, folder, options.signal)
        tables.push(written)
        options.onTable?.(written, wanted.length)
      }
      const manifest = { program, made_at: new Date().toISOString(), ...identity, migrations, tables }
      const text = await writeManifest(folder, manifest)
      return { manifest, sha256: createHash('sha256').update(text).digest('hex') }
    } catch (error) {
      await Promise.all(wanted.map((table) => rm(join(folder, fileOf(table)), { force: true })))
      throw error
    }
  } finally {
    options.signal.removeEventListener('abort', stop)
    await client.end()
  }
}

type Identity = Pick<Manifest, 'chain_id' | 'genesis_hash' | 'height' | 'block_hash' | 'block_time'>

async function readIdentity(client: pg.Client): Promise<Identity> {
  const { rows } = await client.query<Identity>(
    `select h.chain_id, encode(h.genesis_hash, 'hex') as genesis_hash, b.height, encode(b.hash, 'hex') as block_hash,
            to_char(b.time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as block_time
     from head h
     join block b on b.height = h.last_height
     where length(b.hash) = 32`,
  )
  if (!rows[0]) throw new OperatorError('nothing_indexed', 'no block is indexed yet: there is nothing to make a snapshot of')
  return rows[0]
}

async function openFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0)
    throw new OperatorError('folder_taken', `${folder} is not empty: a snapshot needs its own folder`)
}

async function copyTable(client: pg.Client, table: TableColumns, folder: string, signal: AbortSignal): Promise<SnapshotTable> {
  const rows = client.query(copyTo(`copy (${selectAll(table)}) to stdout with (format binary)`))
  const hash = createHash('sha256')
  let bytes = 0
  async function* measure(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(join(folder, fileOf(table)), { flags: 'wx' })
  await pipeline(rows, createGzip({ level: GZIP_LEVEL }), measure, file, { signal })
  return { ...table, rows: rows.rowCount, bytes, sha256: hash.digest('hex') }
}
