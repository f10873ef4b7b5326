import assert from 'node:assert/strict'
import type { Call } from './clients.ts'

type Row = Record<string, unknown>

/** Calls every tool of the catalogue with arguments that exist on the recorded main chain; returns the names in order. */
export async function callEveryTool(call: Call): Promise<string[]> {
  const called: string[] = []
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<Row> => {
    const result = await call(name, args)
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`)
    called.push(name)
    return result.structuredContent as Row
  }
  const list = async (name: string, args?: Record<string, unknown>): Promise<Row[]> => {
    const { items } = await ask(name, args)
    assert.ok(Array.isArray(items) && items.length > 0, name)
    return items as Row[]
  }
  const { last_height: height } = await ask('getHead')
  await ask('getConstants', { module: 'blob' })
  assert.equal((await list('listBlocks', { limit: 2, stats: true })).length, 2)
  assert.equal((await ask('getBlock', { height })).height, height)
  await ask('getBlockStats', { height: 7 })
  const [address] = await list('listAddresses', { limit: 1, sort_by: 'spendable' })
  assert.equal((await ask('getAddress', { hash: address!.hash })).hash, address!.hash)
  const [tx] = await list('listTransactions', { limit: 1 })
  await list('listAddressTransactions', { hash: (tx!.signers as Row[])[0]!.hash })
  assert.equal((await ask('getTransaction', { hash: tx!.hash })).hash, tx!.hash)
  await list('listTransactionMessages', { hash: tx!.hash })
  const [blob] = await list('listBlobs', { limit: 1 })
  const namespace = Buffer.from(blob!.namespace as string, 'base64')
  await list('listNamespaces', { sort_by: 'size' })
  await list('listNamespaceBlobs', { id: namespace.subarray(1).toString('hex'), version: namespace[0] })
  await ask('getNamespaceByHash', { hash: blob!.namespace })
  const [validator] = await list('listValidators')
  await ask('getValidator', { id: validator!.id })
  const [rollup] = await list('listRollups', { sort_by: 'pfb_count' })
  await ask('getRollup', { id: rollup!.id })
  await list('search', { query: '7' })
  await ask('getTps', { window: '1h' })
  await list('getSeries', { name: 'tx_count', timeframe: 'hour' })
  assert.equal((await ask('getPrice', { currency: 'USDC' })).currency, 'USDC')
  return called
}
