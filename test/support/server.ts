import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/store/embedded.ts'
import { prepareTemplates } from './templates.ts'

/** Runs `work` with the address of a PostgreSQL of its own, which is gone afterwards. */
export async function withServer<T>(options: { templates: boolean }, work: (url: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-test-'))
  const server = await startEmbedded({ directory, ephemeral: true })
  try {
    if (options.templates) await prepareTemplates(server.url)
    return await work(server.url)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
