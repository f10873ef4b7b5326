import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { digestOf } from '../support/digest.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'
import { makeOracle, startIndexer, testKills } from './kill.case.ts'

const RECORDING = 'test-1'

testKills(RECORDING, 2)

test('killing the database server and the indexer together loses nothing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'astrolabe-kill-'))
  try {
    const first = await startEmbedded({ directory })
    await migrate(first.url, SCHEMA, 'network')
    const { child, ended } = startIndexer(first.url, RECORDING, 3)
    await new Promise((resolve) => setTimeout(resolve, 900))
    const postmaster = Number(readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(postmaster, 'SIGKILL')
    child.kill('SIGKILL')
    await ended
    const second = await startEmbedded({ directory })
    await indexRecording(second.url, RECORDING)
    assert.deepEqual(await digestOf(second.url), await makeOracle(RECORDING))
    await second.stop()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
