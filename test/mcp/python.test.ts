import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { packagePath } from '../../src/lib/package-path.ts'
import { addMcpToPaidSurface } from '../../src/mcp/paid-surface.ts'
import { CATALOG } from '../../src/pay/catalog/catalog.ts'
import { payerKey } from '../../src/simulation/payment-chain/accounts.ts'
import { makeBed } from '../pay/bed.ts'

/** The x402 client for agents as its authors publish it for Python, on their MCP client. */
const PYTHON = process.env.ASTROLABE_TEST_PYTHON ?? 'python3'

function whyNot(): string | false {
  try {
    execFileSync(PYTHON, ['-c', 'import x402.mcp, mcp, eth_account'], { stdio: 'ignore' })
    return false
  } catch {
    return `${PYTHON} has no x402 client for MCP: pip install "x402[evm,mcp]" "mcp<2", or name an interpreter that has it in ASTROLABE_TEST_PYTHON`
  }
}

test('the Python x402 client buys a tool call', { skip: whyNot() }, async () => {
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
