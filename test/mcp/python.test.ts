import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { packagePath } from '../../src/lib/package-path.ts'
import { addMcpToPaidSurface } from '../../src/mcp/paid-surface.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import { makeBed } from '../pay/bed.ts'
import { missingModules, PYTHON } from '../support/python.ts'

/** The x402 client for agents as its authors publish it for Python, on their MCP client. */
const skip = missingModules('x402.mcp, mcp, eth_account', '"x402[evm,mcp]" "mcp<2"')

test('the Python x402 client buys a tool call', { skip }, async () => {
  const bed = await makeBed()
  try {
    const server = await bed.serve({ addRoutes: addMcpToPaidSurface })
    const before = await bed.revenue()
    const script = packagePath('test/mcp/buyer.py')
    const { stdout } = await promisify(execFile)(PYTHON, [script, `${server.url}/mcp`, payerKey(3)])
    const bought = JSON.parse(stdout) as { tools: number; isError: boolean; transaction: string; text: string }
    assert.deepEqual([bought.tools, bought.isError], [CATALOG.length, false])
    assert.match(bought.transaction, /^0x[0-9a-f]{64}$/)
    assert.equal((JSON.parse(bought.text) as { operation: string }).operation, 'getBlock')
    assert.equal((await bed.revenue()) - before, 1000n)
  } finally {
    await bed.stop()
  }
})
