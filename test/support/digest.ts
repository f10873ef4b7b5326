import pg from 'pg'
import { digestTables } from './dump-tables.ts'
import { SCHEMA } from './templates.ts'

/** Content of every table as one hash each; `undo` only where the same heights can be taken back. */
export async function digestOf(url: string, options: { undo: boolean } = { undo: true }): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await digestOver(client, options)
  } finally {
    await client.end()
  }
}

/** Over a connection that is used again: a new one has to read the catalogue of all tables. */
export async function digestOver(
  client: pg.Client,
  options: { undo: boolean } = { undo: true },
): Promise<Record<string, string>> {
  const digests = await digestTables(client, SCHEMA)
  return Object.fromEntries(
    digests
      .filter(({ table }) => options.undo || table !== 'undo')
      .map(({ table, rows, hash }) => [table, `${rows} rows ${hash}`]),
  )
}
