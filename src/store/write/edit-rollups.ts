import { readFile } from 'node:fs/promises'
import { OperatorError } from '../../lib/errors.ts'
import { connectClient } from '../servers/connect.ts'
import { RegistryEditor } from './rollup-editor.ts'
import { BadEntry, type RollupEntry } from './rollup-entry.ts'

/**
 * Changes the registry in one transaction. It holds the head row, so that no block comes in between; the writer sees the new version
 * and starts over with the new registry. What fails changes nothing.
 */
export async function editRegistry<T>(url: string, schema: string, edit: (registry: RegistryEditor) => Promise<T>): Promise<T> {
  const client = await connectClient(url, { application_name: `astrolabe registry ${schema}`, connectionTimeoutMillis: 5000 })
  try {
    await client.query('begin')
    await client.query(`set local search_path to "${schema}"; set local timezone to 'UTC'; set local datestyle to 'ISO'`)
    await client.query('select last_height from head for update')
    const registry = new RegistryEditor(client)
    const result = await edit(registry)
    await registry.finish(schema)
    await client.query('commit')
    return result
  } finally {
    // Ending the connection takes back what was not committed.
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
