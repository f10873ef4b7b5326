import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { WebSocket } from 'ws'
import type { AstrolabeError } from '../../src/lib/errors.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { fewOf, longTest } from '../support/long-test.ts'
import { makeFolder, type Program, runCli } from '../support/program.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'

const CHAINS = { main: 'astrolabe-devnet-1', 'test-1': 'astrolabe-test-1', 'test-2': 'astrolabe-test-2' }
const RECORDINGS = { main: 'devnet', 'test-1': 'test-1', 'test-2': 'test-2' }

const HEIGHTS = { main: 403, 'test-1': 158, 'test-2': 157 }

type Network = keyof typeof CHAINS
const NETWORKS = fewOf(Object.keys(CHAINS) as Network[], 2)

describe('networks from one start', () => {
  const folder = makeFolder()
  const addresses: Partial<Record<Network, { api: string; websocket: string }>> = {}
  let cli: Program
  before(async () => {
    const config = join(folder, 'config.json')
    const readyFile = join(folder, 'ready.json')
    const listen = { port: 0 }
    writeFileSync(
      config,
      JSON.stringify({
        operator: listen,
        observability: listen,
        paid: listen,
        networks: NETWORKS.map((name) => ({
          name,
          kind: name === 'main' ? 'main' : 'test',
          recording: packagePath('data/recordings', RECORDINGS[name]),
          listen,
        })),
      }),
    )
    const command = ['start', '--no-live', '--no-paid', '--config', config, '--data', folder, '--ready-file', readyFile]
    cli = runCli([...command, '--database', await freshDatabase('devnet'), '--log-level', 'warn'])
    while (!existsSync(readyFile)) {
      assert.equal(cli.child.exitCode, null, `start ended before it was ready: ${cli.text()}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    Object.assign(addresses, (JSON.parse(readFileSync(readyFile, 'utf8')) as { networks: typeof addresses }).networks)
    for (const network of NETWORKS)
      while (((await get(network, '/head')).body as { last_height: number }).last_height < HEIGHTS[network])
        await new Promise((resolve) => setTimeout(resolve, 50))
  })
  after(() => cli.stop())

  const get = async (network: Network, path: string) => {
    const response = await fetch(addresses[network]!.api + path)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }

  test('every base address answers for its own chain', async () => {
    const ports = new Set(NETWORKS.map((network) => new URL(addresses[network]!.api).port))
    assert.equal(ports.size, NETWORKS.length)
    const heads = await Promise.all(NETWORKS.map((network) => get(network, '/head')))
    assert.deepEqual(
      heads.map(({ body }) => {
        const { chain_id: chain, last_height: height } = body as { chain_id: string; last_height: number }
        return [chain, height]
      }),
      NETWORKS.map((network) => [CHAINS[network], HEIGHTS[network]]),
    )
  })

  test('what one network knows is unknown on the others', async () => {
    for (const network of NETWORKS) {
      const [tx] = (await get(network, '/tx?limit=1&sort=desc')).body as { hash: string }[]
      const { hash } = (await get(network, '/block/100')).body as { hash: string }
      for (const other of NETWORKS) {
        const expected = other === network
        assert.equal((await get(other, `/tx/${tx!.hash}`)).status === 200, expected, `tx of ${network} on ${other}`)
        const found = (await get(other, `/search?query=${hash}`)).body as unknown[] | undefined
        assert.equal((found?.length ?? 0) > 0, expected, `block of ${network} on ${other}`)
      }
    }
    assert.equal(((await get('main', '/rollup')).body as unknown[]).length, 2)
    assert.deepEqual((await get('test-1', '/rollup')).body, [])
  })

  test('wrong keys of an address are counted over all networks', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const { api } = addresses[NETWORKS[i % NETWORKS.length]!]!
      statuses.push((await fetch(`${api}/head`, { headers: { apikey: `astro_wrong_${i}` } })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
  })

  test('the WebSocket of each network sends its own blocks', async () => {
    for (const network of NETWORKS) {
      const { hash } = (await get(network, '/block/150')).body as { hash: string }
      assert.equal(await blockHash(addresses[network]!.websocket, 150), hash)
    }
  })
})

/** Hash of a block as the WebSocket replays it. */
function blockHash(url: string, height: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    const body = { channel: 'blocks', filters: { from_height: height } }
    socket.on('open', () => socket.send(JSON.stringify({ method: 'subscribe', body })))
    socket.on('error', reject)
    socket.on('message', (text) => {
      const message = JSON.parse(String(text)) as { channel?: string; body?: { hash?: string } }
      if (message.channel !== 'blocks') return
      resolve(message.body?.hash ?? '')
      socket.close()
    })
  })
}

describe('an index belongs to one chain', () => {
  test('a source of another chain, or of another genesis, is refused and nothing changes', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'test-1', { until: 5 })
    const before = await digestOf(url)
    const code = (wanted: string) => (error: AstrolabeError) => error.code === wanted
    await assert.rejects(indexRecording(url, 'test-2'), code('wrong_chain'))
    assert.deepEqual(await digestOf(url), before)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`update "${SCHEMA}".head set genesis_hash = '\\x00'`)
    const other = await digestOf(url)
    await assert.rejects(indexRecording(url, 'test-1'), code('wrong_genesis'))
    assert.deepEqual(await digestOf(url), other)
    await client.end()
  })

  longTest('a network that is configured for another chain does not start on an empty database', async () => {
    const folder = makeFolder()
    const config = join(folder, 'config.json')
    const recording = packagePath('data/recordings/test-1')
    writeFileSync(config, JSON.stringify({ networks: [{ name: 'main', kind: 'main', chain_id: 'celestia', recording }] }))
    const url = await freshDatabase()
    const { code, err } = await runCli(['index', '--once', '--config', config, '--database', url]).ended
    assert.notEqual(code, 0)
    assert.match(err, /configured for chain celestia, its source serves astrolabe-test-1/)
    const { block } = await digestOf(url)
    assert.match(block!, /^0 rows/)
  })
})
