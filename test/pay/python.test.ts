import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Receipt } from 'mppx'
import { packagePath } from '../../src/lib/package-path.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import { missingModules, PYTHON } from '../support/python.ts'
import { makeBed } from './bed.ts'

/** The clients of both protocols as their authors publish them for Python. */
for (const [rail, modules, packages] of [
  ['mpp', 'mpp.client, mpp.methods.evm.client, eth_account', '"pympp[evm]"'],
  ['x402', 'x402.http.clients, x402.mechanisms.evm.exact, eth_account', '"x402[evm,httpx]"'],
] as const)
  test(`the Python ${rail} client buys an answer`, { skip: missingModules(modules, packages) }, async () => {
    const bed = await makeBed()
    try {
      const server = await bed.serve()
      const before = await bed.revenue()
      const script = packagePath('test/pay/buyer.py')
      const order = [rail, `${server.url}/v1/block/7`, payerKey(3), JSON.stringify(bed.settings.evm)]
      const { stdout } = await promisify(execFile)(PYTHON, [script, ...order])
      const bought = JSON.parse(stdout) as { status: number; text: string; receipt: string }
      assert.equal(bought.status, 200, bought.text)
      assert.equal((JSON.parse(bought.text) as { operation: string }).operation, 'getBlock')
      assert.match(Receipt.deserialize(bought.receipt).reference, /^0x[0-9a-f]{64}$/)
      assert.equal((await bed.revenue()) - before, 1000n)
    } finally {
      await bed.stop()
    }
  })
