import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { run } from '../../src/pipeline/run.ts'
import { loadRollups } from '../../src/store/rollups/edit-rollups.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { freshDatabase, serverUrl } from '../support/database.ts'
import { openSharedPool } from '../support/shared-pool.ts'
import { createDatabase, SCHEMA } from '../support/templates.ts'

const RECORDING = packagePath('data/recordings/devnet')
const { signal } = new AbortController()

/** The recorded chain with the txs of its blocks. */
export async function indexWithTxs(url: string): Promise<void> {
  await loadRollups(url, SCHEMA, join(RECORDING, 'rollups.json'))
  const source = await openRecordingSource(RECORDING)
  const pool = openSharedPool({ forSegments: true })
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
  try {
    await run(source, writer, pool, { batchBlocks: 100, follow: false, maxRollbackDepth: 100 }, signal)
  } finally {
    await writer.close()
    await source.close()
  }
}

let indexed: Promise<string> | undefined

/** Its own database with that chain, which files that share a process index once. */
export async function databaseWithTxs(): Promise<string> {
  const make = async () => {
    const url = await freshDatabase()
    await indexWithTxs(url)
    return url
  }
  indexed ??= make()
  const template = new URL(await indexed).pathname.slice(1)
  return createDatabase(serverUrl, `t_${randomBytes(6).toString('hex')}`, template)
}
