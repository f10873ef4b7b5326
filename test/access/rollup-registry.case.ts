import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { packagePath } from '../../src/lib/package-path.ts'
import { digestOf } from '../support/digest.ts'
import { SCHEMA } from '../support/templates.ts'

export const FILE = packagePath('data/recordings/devnet/rollups.json')

/** Content of all tables; the head without what counts changes of the registry and commits. */
export async function contentOf(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select to_jsonb(h) - 'registry_version' - 'commit_number' as head from "${SCHEMA}".head h`,
    )
    return { ...(await digestOf(url)), head: JSON.stringify(rows[0]) }
  } finally {
    await client.end()
  }
}

export async function readOne(url: string, statement: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA}` })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows[0]
  } finally {
    await client.end()
  }
}

export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${SCHEMA} -c timezone=UTC` })
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(20)
}

/** Runs an edit of the registry up to its first slice, and ends its connection there. */
export async function holdOff(url: string, edit: () => Promise<unknown>): Promise<void> {
  const holder = await connect(url)
  try {
    await holder.query('begin; lock table rollup_stats in share mode')
    const ended = assert.rejects(edit())
    await until(async () => {
      const { rowCount } = await holder.query(
        `select pg_terminate_backend(a.pid) from pg_stat_activity a join pg_locks l on l.pid = a.pid
         where not l.granted and a.datname = current_database()`,
      )
      return rowCount === 1
    })
    await ended
  } finally {
    await holder.end()
  }
}
