import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { prepareTemplates } from './templates.ts'

/** Autovacuum visits every database in turn; those of tests are hundreds and live for seconds. */
async function stopAutovacuum(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  await client.end()
}

/** Runs `work` with the address of a PostgreSQL of its own, which is gone afterwards. */
export async function withServer<T>(options: { templates: boolean }, work: (url: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-test-'))
  const server = await startEmbedded({ directory, ephemeral: true })
  try {
    await stopAutovacuum(server.url)
    if (options.templates) await prepareTemplates(server.url)
    return await work(server.url)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
