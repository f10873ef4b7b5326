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

test('the demo adds prices, names, rollups and the chains of Hyperlane to its main chain, and nothing to the others', () => {
  const sources = loadConfig({ env: {} }).networks.map(({ offchain }) =>
    Object.entries(offchain).flatMap(([name, { file }]) => (file === undefined ? [] : [name])),
  )
  assert.deepEqual(sources, [['price', 'names', 'hyperlane', 'rollups'], [], []])
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

test('an index begins with a state or without one, and without one it needs nodes', () => {
  const problemsOf = (network: object) => () =>
    loadConfig({ env: {}, overrides: { networks: [{ name: 'a', kind: 'main', from_height: 5, ...network }] } })
  assert.throws(problemsOf({ rpc: ['http://x'], genesis: 'exported.json' }), /give either genesis, .* or from_height/)
  assert.throws(problemsOf({ recording: 'y' }), /from_height needs nodes/)
  assert.doesNotThrow(problemsOf({ rpc: ['http://x'] }))
})

test('a misspelt setting is refused by name, with the name that was probably meant', () => {
  assert.throws(
    () => loadConfig({ env: {}, overrides: { foo: 1, indexing: { batchBlocks: 3 } } }),
    /unknown setting "foo"\n[\s\S]*unknown setting "indexing.batchBlocks": did you mean "batch_blocks"\?/,
  )
})

test('a wrong value is named with what is expected instead', () => {
  const network = { name: 'main', kind: 'main', rpc: ['http://127.0.0.1:26657'] }
  const problem = (changes: object, overrides: object = {}): string => {
    try {
      loadConfig({ env: {}, overrides: { networks: [{ ...network, ...changes }], ...overrides } })
      return 'none'
    } catch (error) {
      return (error as Error).message.split('\n')[1]!.trim().replace('- ', '')
    }
  }
  assert.equal(problem({ kind: 'prod' }), 'networks[0].kind: "main" or "test", not "prod"')
  assert.equal(problem({ rpc: 'http://127.0.0.1:26657' }), 'networks[0].rpc: a list is expected, not "http://127.0.0.1:26657"')
  assert.equal(problem({ rpc: [] }), 'networks[0].rpc: at least 1 is needed')
  assert.equal(
    problem({ rpc: ['node-1'] }),
    'networks[0].rpc[0]: an address such as http://127.0.0.1:26657 is expected, not "node-1"',
  )
  assert.equal(problem({ name: undefined }), 'networks[0].name: missing')
  assert.equal(problem({}, { database: { read_connections: 1000 } }), 'database.read_connections: 100 or less, not 1000')
  assert.equal(problem({}, { indexing: 5 }), 'indexing: an object is expected, not 5')
})

test('the free plan is always there, and every plan has its own name', () => {
  const plan = { name: 'gold', requests_per_second: 5 }
  assert.throws(() => loadConfig({ env: {}, overrides: { access: { plans: [plan, plan] } } }), /named free[\s\S]*own name/)
  assert.equal(loadConfig({ env: {} }).access.plans[0]?.name, 'free')
})

test('a list is given in the environment with commas, and trusted proxies must be addresses', () => {
  const env = { TRUSTED_PROXIES: '10.0.0.0/8, ::1' }
  assert.deepEqual(loadConfig({ env }).access.trusted_proxies, ['10.0.0.0/8', '::1'])
  assert.throws(() => loadConfig({ env: { TRUSTED_PROXIES: 'all' } }), /trusted_proxies: all/)
})

test('a switch in the environment is true or false, and a log level one that exists', () => {
  const isEnabled = (text: string) => loadConfig({ env: { PAID_ENABLED: text } }).paid.enabled
  assert.deepEqual(['true', '1', 'TRUE', 'false', '0', 'False'].map(isEnabled), [true, true, true, false, false, false])
  // Taken as false, this would have switched off what was to be switched on.
  assert.throws(() => isEnabled('yes'), /paid.enabled: true or false is expected, not "yes"/)
  assert.throws(() => loadConfig({ env: { LOG_LEVEL: 'verbose' } }), /log_level/)
})

test('off-chain data comes from a file or an address, not from both', () => {
  const [main] = loadConfig({ env: {} }).networks
  assert.equal(main!.offchain.price.interval_seconds, 60)
  const networks = [{ ...main, offchain: { price: { file: 'a', url: 'http://b' } } }]
  assert.throws(() => loadConfig({ env: {}, overrides: { networks } }), /offchain.price: give either file or url/)
})

test('the demo is the generated chain beside the recordings', () => {
  const { networks } = loadConfig({ env: {}, isDemo: () => true })
  assert.deepEqual(
    networks.map(({ name, kind, listen, generated = false }) => [name, kind, listen.port, generated]),
    [
      ['demo', 'main', 9876, true],
      ['devnet', 'test', 9906, false],
      ['test-1', 'test', 9886, false],
      ['test-2', 'test', 9896, false],
    ],
  )
})

test('a generated chain has one node, on this machine', () => {
  const network = { name: 'demo', kind: 'main', generated: true, rpc: ['http://10.0.0.1:26657'] }
  assert.throws(
    () => loadConfig({ env: {}, overrides: { networks: [network] } }),
    /a generated chain needs one address of this machine/,
  )
})
