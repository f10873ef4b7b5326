import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { writeConfig } from '../support/config-file.ts'
import { serverUrl } from '../support/database.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { createDatabase } from '../support/templates.ts'

type Said = { code: number | null; text: string }

/** A database without any table, as a newcomer has it. */
export const bareDatabase = () => createDatabase(serverUrl, `bare_${randomBytes(6).toString('hex')}`)

export function snapshot(url: string, folder: string): Promise<Said> {
  const config = writeConfig(makeFolder(), { networks: [{ rpc: ['http://127.0.0.1:1'] }] })
  return runCli(['snapshot', folder, '--config', config, '--database', url, '--data', makeFolder()]).ended
}

/** Enough to see that they are looked at; the last one of an option counts. */
const BLOCKS = ['--blocks', '5']

/** Restores as network main, with these nodes to confirm the block. */
export function restore(
  url: string,
  folder: string,
  nodes: readonly { url: string }[],
  { options = [], network = {} }: { options?: string[]; network?: object } = {},
): Promise<Said> {
  const config = writeConfig(makeFolder(), { networks: [{ rpc: nodes.map((node) => node.url), ...network }] })
  return runCli(['restore', folder, '--config', config, '--database', url, '--data', makeFolder(), ...BLOCKS, ...options]).ended
}

/** A copy that a test may damage. */
export function copyOf(folder: string): string {
  const copy = join(makeFolder(), 'copy')
  cpSync(folder, copy, { recursive: true })
  return copy
}

export async function query<Row extends object>(url: string, statement: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}
