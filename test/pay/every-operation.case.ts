import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodePaymentResponseHeader } from '@x402/core/http'
import type { SoldGroup } from '../../src/config/paid-schema.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { hasTransfer } from '../../src/pay/evm/token.ts'
import { addressAt, RECIPIENT } from '../../src/pay/local-chain/accounts.ts'
import { quote } from '../../src/pay/sale/offers.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { mppClient, receiptOf, x402Fetch } from './clients.ts'
import { sampleOf, soldOperations } from './sold-operations.ts'

/** Buys every operation of the groups once with each official client; of long lists so many rows that they cost several prices. */
export function buyEveryOperation(groups: readonly SoldGroup[]): void {
  describe(`every operation of ${groups.join(', ')}`, () => {
    const operations = soldOperations(groups)
    let bed: Bed
    let server: Server
    before(async () => {
      bed = await makeBed()
      server = await bed.serve({ operations })
    })
    after(() => bed.stop())

    const targetOf = (operation: Operation) => {
      const sample = sampleOf(operation)
      return operation.rowsOf ? `${sample}${sample.includes('?') ? '&' : '?'}limit=250` : sample
    }
    const priceOf = (operation: Operation) => quote(operation, server.url, targetOf(operation)).amount
    const total = () => operations.reduce((sum, operation) => sum + priceOf(operation), 0n)

    async function assertTransfer(hash: string, payer: Hex, value: bigint): Promise<void> {
      const receipt = await openClient({ url: bed.chain.rpcUrl }).getTransactionReceipt({ hash: hash as Hex })
      assert.equal(receipt.status, 'success')
      const transfers = receipt.logs.filter((log) => log.topics.length === 3 && log.data !== '0x')
      assert.equal(transfers.length, 1)
      assert.ok(hasTransfer(receipt.logs, { token: bed.chain.token, from: payer, to: RECIPIENT, value }))
    }

    test('is bought by the MPP client for exactly its price', async () => {
      const client = mppClient(server.settings)
      const revenue = await bed.revenue()
      const hashes = new Set<string>()
      for (const operation of operations) {
        const response = await client.fetch(server.url + targetOf(operation))
        assert.equal(response.status, 200, `${operation.id}: ${await response.clone().text()}`)
        assert.equal(response.headers.get('cache-control'), 'private')
        const { reference, method } = receiptOf(response)
        assert.equal(method, 'evm')
        await assertTransfer(reference, addressAt(0), priceOf(operation))
        hashes.add(reference)
        const body = (await response.json()) as { operation: string }
        assert.equal(body.operation, operation.id)
      }
      assert.equal(hashes.size, operations.length)
      assert.equal((await bed.revenue()) - revenue, total())
    })

    test('is bought by the x402 client for exactly its price', async () => {
      const buy = x402Fetch(server.settings)
      const revenue = await bed.revenue()
      const hashes = new Set<string>()
      for (const operation of operations) {
        const response = await buy(server.url + targetOf(operation))
        assert.equal(response.status, 200, `${operation.id}: ${await response.clone().text()}`)
        const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
        assert.equal(settled.success, true)
        assert.equal(receiptOf(response).reference, settled.transaction)
        await assertTransfer(settled.transaction, addressAt(1), priceOf(operation))
        hashes.add(settled.transaction)
        await response.arrayBuffer()
      }
      assert.equal(hashes.size, operations.length)
      assert.equal((await bed.revenue()) - revenue, total())
    })
  })
}
