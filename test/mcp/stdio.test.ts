import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { Mcp } from 'mppx'
import { addMcpToPaidSurface } from '../../src/mcp/paid-surface.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { openGuardedApi, type TestApi } from '../access/guarded-api.ts'
import { type Bed, makeBed } from '../pay/bed.ts'
import { longTest } from '../support/long-test.ts'
import { makeEnv, makeFolder, PROGRAM, runCli } from '../support/program.ts'
import { callByMpp, callByX402, callOf, connectOver, textOf, X402_RESPONSE } from './clients.ts'
import { callEveryTool } from './every-tool.ts'
import { pricedChain } from './priced-chain.ts'

/** The command that agents start themselves. */
const start = (...words: string[]) =>
  connectOver(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', ...words],
      stderr: 'inherit',
      env: makeEnv(),
      cwd: makeFolder(),
    }) as Transport,
  )

describe('astrolabe mcp', () => {
  let database: string
  let api: TestApi
  let bed: Bed
  before(async () => {
    database = await pricedChain()
    api = await openGuardedApi(database, { mcp: true })
    bed = await makeBed()
  })
  after(async () => {
    await api.close()
    await bed.stop()
  })

  test('serves every tool from the configured database', async () => {
    const client = await start('--database', database, '--network', 'main')
    assert.equal((await callEveryTool(callOf(client))).length, CATALOG.length)
    const wrong = await callOf(client)('getBlock', { height: 'x' })
    assert.deepEqual([wrong.isError, textOf(wrong)], [true, 'height must be an integer'])
    const gas = await callOf(client)('call_operation', { operation: 'get-gas-price' })
    assert.ok('median' in (gas.structuredContent ?? {}), textOf(gas))
    await client.close()
  })

  longTest('passes every tool of a running service on', async () => {
    const client = await start('--url', await api.app.listen({ host: '127.0.0.1', port: 0 }))
    assert.equal((await callEveryTool(callOf(client))).length, CATALOG.length)
    await client.close()
  })

  test('passes payments and receipts on', async () => {
    const server = await bed.serve({ addRoutes: addMcpToPaidSurface })
    const before = await bed.revenue()
    const client = await start('--url', `${server.url}/mcp`)
    const byX402 = await callByX402(client, server.settings)('getHead')
    assert.ok(byX402._meta?.[X402_RESPONSE], textOf(byX402))
    const byMpp = await callByMpp(client, server.settings)('getHead')
    assert.ok(byMpp._meta?.[Mcp.receiptMetaKey], textOf(byMpp))
    assert.equal((await bed.revenue()) - before, 2000n)
    await client.close()
  })

  test('a service that is not there, or that refuses, is an error of the call', async () => {
    await assert.rejects(start('--url', 'http://127.0.0.1:1'), /fetch failed/)
    const server = await bed.serve()
    await assert.rejects(start('--url', server.url), /404/)
  })

  longTest('an address that is none is refused with a sentence', async () => {
    const { code, err } = await runCli(['mcp', '--url', 'celestia']).ended
    assert.equal(code, 1)
    assert.match(err, /^astrolabe: --url takes the address of a service/)
  })
})
