import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './load.ts'

test('without settings three networks with their own ports are configured', () => {
  const config = loadConfig({ env: {} })
  assert.deepEqual(
    config.networks.map(({ name, kind, listen }) => [name, kind, listen.port]),
    [
      ['main', 'main', 9876],
      ['test-1', 'test', 9886],
      ['test-2', 'test', 9896],
    ],
  )
  assert.equal(config.operator.port, 9877)
})

test('an environment variable wins over the default, the command line over both', () => {
  const env = { DATABASE_URL: 'postgres://one', INDEX_BATCH_BLOCKS: '7' }
  const config = loadConfig({ env, overrides: { database: { url: 'postgres://two' } } })
  assert.equal(config.database.url, 'postgres://two')
  assert.equal(config.indexing.batch_blocks, 7)
})

test('all problems are listed in one error', () => {
  const overrides = {
    networks: [
      { name: 'a', kind: 'main' },
      { name: 'a', kind: 'main', rpc: ['http://x'], recording: 'y' },
    ],
  }
  assert.throws(
    () => loadConfig({ env: {}, overrides }),
    (error: Error) =>
      /own name/.test(error.message) && /only one main/.test(error.message) && /either recording or rpc/.test(error.message),
  )
})

test('a misspelt setting is refused by name', () => {
  assert.throws(() => loadConfig({ env: {}, overrides: { indexing: { batchBlocks: 3 } } }), /indexing/)
})
