import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { OperatorError } from '../../lib/errors.ts'
import { connectClient } from '../servers/connect.ts'
import { lockRegistry, tryRegistryLock } from '../servers/writer-lock.ts'
import { RegistryEditor } from './editor.ts'
import { BadEntry, type RollupEntry } from './entry.ts'
import { fillRollups } from './fill.ts'

/**
 * Changes the registry in one short transaction. It holds the head row, so that no block comes in between; the writer sees the new
 * version and starts over with the new registry. What fails changes nothing. Resolves when rollups that became verified have all
 * their blobs, which takes a while for large ones; the head is free meanwhile.
 */
export function editRegistry<T>(url: string, schema: string, edit: (registry: RegistryEditor) => Promise<T>): Promise<T> {
  return withRegistry(url, schema, async (client) => {
    await lockRegistry(client, schema)
    // Left behind by a process that was ended.
    await fillRollups(client, schema)
    await client.query('begin')
    await client.query('select last_height from head for update')
    const registry = new RegistryEditor(client)
    const result = await edit(registry)
    await registry.finish(schema)
    await client.query('commit')
    await fillRollups(client, schema)
    return result
  })
}

/** Finishes what a process that was ended left behind, unless another one is at it. */
export function resumeFill(url: string, schema: string): Promise<void> {
  return withRegistry(url, schema, async (client) => {
    if (await tryRegistryLock(client, schema)) await fillRollups(client, schema)
  })
}

async function withRegistry<T>(url: string, schema: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient(url, { application_name: `astrolabe registry ${schema}`, connectionTimeoutMillis: 5000 })
  try {
    await client.query(`set search_path to "${schema}"; set timezone to 'UTC'; set datestyle to 'ISO'`)
    return await work(client)
  } finally {
    // Ending the connection takes back what was not committed, and gives the lock back.
    await client.end()
  }
}

/** Reads a registry file in order: ids follow the file. Entries whose slug is known already are left alone. */
export async function loadRollups(url: string, schema: string, file: string): Promise<number> {
  const entries = await readRollupFile(file)
  try {
    return await editRegistry(url, schema, async (registry) => {
      let added = 0
      for (const entry of entries) {
        if (await registry.findBySlug(entry.name)) continue
        await registry.create(entry, entry.verified ?? false)
        added++
      }
      return added
    })
  } catch (error) {
    if (error instanceof BadEntry) throw new OperatorError(error.code, `${file}: ${error.message}`, error.facts, error)
    throw error
  }
}

async function readRollupFile(file: string): Promise<RollupEntry[]> {
  try {
    const entries = JSON.parse(await readFile(file, 'utf8')) as unknown
    if (!Array.isArray(entries)) throw new Error('a JSON array is expected')
    return entries as RollupEntry[]
  } catch (error) {
    throw new OperatorError('bad_rollup_file', `cannot read rollups from ${file}: ${(error as Error).message}`, {}, error)
  }
}
