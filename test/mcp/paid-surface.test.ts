import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PaymentRequired } from '@x402/core/types'
import { Challenge, Credential, Mcp } from 'mppx'
import { encodeAddress } from '../../src/lib/encoding/bech32.ts'
import { addMcpToPaidSurface } from '../../src/mcp/paid-surface.ts'
import { CATALOG } from '../../src/operations/catalog.ts'
import { TIER_USD } from '../../src/operations/operation.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import { toAtomic } from '../../src/pay/sale/offers.ts'
import { CHAIN_ID } from '../builders.ts'
import { type Bed, makeBed, reached, type Server } from '../pay/bed.ts'
import { mppClient, x402ClientOf } from '../pay/clients.ts'
import { openStock } from '../pay/stock.ts'
import { fewOf } from '../support/long-test.ts'
import {
  callByMpp,
  callByX402,
  callOf,
  connect,
  signX402,
  type ToolResult,
  textOf,
  X402_PAYMENT,
  X402_RESPONSE,
} from './clients.ts'
import { callEveryTool } from './every-tool.ts'
import { pricedChain } from './priced-chain.ts'

/** Tools that are paid for: the official client of the protocol, with both payment protocols, on a local payment chain. */

let bed: Bed
let server: Server

before(async () => {
  bed = await makeBed()
  const stock = await openStock(bed, { url: await pricedChain(), chainId: CHAIN_ID, sells: ['basic', 'gas', 'history'] })
  server = await bed.serve({ ...stock, addRoutes: addMcpToPaidSurface })
})
after(() => bed.stop())

type Told = Pick<ToolResult, '_meta'>

const metaOf = <Value>({ _meta }: Told, key: string): Value => {
  assert.ok(_meta?.[key], key)
  return _meta[key] as Value
}

const transactionOf = (result: Told, rail: 'x402' | 'mpp'): string =>
  rail === 'x402'
    ? metaOf<{ transaction: string }>(result, X402_RESPONSE).transaction
    : metaOf<{ reference: string }>(result, Mcp.receiptMetaKey).reference

test('a call without payment names the price in the forms of both protocols', async () => {
  const client = await connect(server.url)
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    [...CATALOG.map(({ id }) => id), 'find_operation', 'call_operation'],
  )
  assert.match(tools.find(({ name }) => name === 'getSeries')!.description ?? '', /Costs 0\.005 USD/)
  const offer = await callOf(client)('getHead')
  assert.equal(offer.isError, true)
  const required = offer.structuredContent as { x402Version: number; accepts: { amount: string }[]; resource: { url: string } }
  assert.deepEqual([required.x402Version, required.accepts[0]!.amount], [2, '1000'])
  assert.equal(required.resource.url, `${server.url}/v1/head`)
  assert.deepEqual(JSON.parse(textOf(offer)), required)
  const { challenges, httpStatus } = metaOf<{
    challenges: { method: string; intent: string; request: { amount: string } }[]
    httpStatus: number
  }>(offer, Mcp.paymentRequiredMetaKey)
  assert.deepEqual([httpStatus, challenges[0]!.method, challenges[0]!.intent], [402, 'evm', 'charge'])
  assert.equal(challenges[0]!.request.amount, '1000')
  await client.close()
})

for (const [rail, pay] of fewOf(
  [
    ['x402', callByX402],
    ['mpp', callByMpp],
  ] as const,
  1,
))
  test(`every tool can be bought by ${rail}, and each call is charged once`, async () => {
    const client = await connect(server.url)
    const before = await bed.revenue()
    const transactions: string[] = []
    const call = pay(client, server.settings)
    const bought = await callEveryTool(async (name, args) => {
      const result = await call(name, args)
      transactions.push(transactionOf(result, rail))
      return result
    })
    assert.deepEqual(bought.toSorted(), CATALOG.map(({ id }) => id).sort())
    assert.equal(new Set(transactions).size, CATALOG.length)
    const prices = CATALOG.reduce((sum, { tier }) => sum + toAtomic(TIER_USD[tier]), 0n)
    assert.equal((await bed.revenue()) - before, prices)
    for (const tx_hash of transactions) await reached(bed.ledger, { tx_hash }, 'delivered')
    await client.close()
  })

test('any operation that is sold is found for nothing and bought at its price over REST, by both protocols', async () => {
  const client = await connect(server.url)
  const before = await bed.revenue()
  const found = await callOf(client)('find_operation', { words: 'gas price' })
  const matches = (found.structuredContent as { items: { operation: string; usd: number }[] }).items
  assert.ok(
    matches.some(({ operation, usd }) => operation === 'get-gas-price' && usd === 0.001),
    textOf(found),
  )
  const offer = await callOf(client)('call_operation', { operation: 'get-series', arguments: { name: 'tps', timeframe: 'hour' } })
  const required = offer.structuredContent as { accepts: { amount: string }[] }
  assert.equal(required.accepts[0]!.amount, String(toAtomic(TIER_USD.C)))
  assert.equal(await bed.revenue(), before)
  for (const pay of [callByX402, callByMpp]) {
    const gas = await pay(client, server.settings)('call_operation', { operation: 'get-gas-price' })
    assert.ok(!gas.isError && 'median' in gas.structuredContent!, textOf(gas))
  }
  assert.equal((await bed.revenue()) - before, 2n * toAtomic(TIER_USD.A))
  await client.close()
})

test('the price of a long list is that of REST, and what is not sold is neither found nor offered', async () => {
  const client = await connect(server.url)
  const given = { hash: encodeAddress('celestia', 'ab'.repeat(20)), limit: 250 }
  const offer = await callOf(client)('call_operation', { operation: 'list-address-history', arguments: given })
  assert.ok(offer.structuredContent, textOf(offer))
  const { accepts, resource } = offer.structuredContent as { accepts: { amount: string }[]; resource: { url: string } }
  assert.equal(resource.url, `${server.url}/v1/address/${given.hash}/history?limit=250`)
  assert.equal(accepts[0]!.amount, String(3n * toAtomic(TIER_USD.C)))
  const overRest = await fetch(resource.url)
  const { paymentRequired } = (await overRest.json()) as { paymentRequired: { accepts: { amount: string }[] } }
  assert.equal(paymentRequired.accepts[0]!.amount, accepts[0]!.amount)
  const find = async (words: string) => {
    const found = await callOf(client)('find_operation', { words, limit: 20 })
    return (found.structuredContent as { items: { operation: string; usd: number; per_rows?: number }[] }).items
  }
  const history = (await find('history of the balance of an account')).find(
    ({ operation }) => operation === 'list-address-history',
  )
  assert.deepEqual([history?.usd, history?.per_rows], [0.005, 100])
  assert.ok((await find('votes of a proposal')).every(({ operation }) => !operation.includes('proposal')))
  // `POST /v1/blob` is another operation than the list at the same path, which is sold.
  for (const operation of ['list-proposals', 'get-blob']) {
    const refused = await callOf(client)('call_operation', { operation })
    assert.deepEqual(
      [refused.isError, textOf(refused)],
      [true, `${operation} is not sold here: find_operation lists those that there are`],
    )
  }
  await client.close()
})

test('the same payment sent again gives the same answer and costs nothing, for another call it is refused', async () => {
  const client = await connect(server.url)
  const offer = await callOf(client)('getBlock', { height: 7 })
  const payment = await signX402(offer, server.settings, payerKey(1))
  const before = await bed.revenue()
  const send = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: 'getBlock', arguments: args, _meta: { [X402_PAYMENT]: payment } })) as ToolResult
  const results = await Promise.all(Array.from({ length: 6 }, () => send({ height: 7 })))
  const sold = results.filter(({ isError }) => !isError)
  assert.ok(sold.length >= 1)
  for (const refused of results.filter(({ isError }) => isError)) assert.match(textOf(refused), /this payment is being processed/)
  const again = await send({ height: '7' })
  assert.deepEqual(again.structuredContent, sold[0]!.structuredContent)
  assert.equal(transactionOf(again, 'x402'), transactionOf(sold[0]!, 'x402'))
  const other = await send({ height: 8 })
  assert.equal(other.isError, true)
  assert.match(textOf(other), /names another resource|made for another request/)
  assert.equal((await bed.revenue()) - before, 1000n)
  await client.close()
})

test('a wrong argument, an unknown record and a payment that is none cost nothing', async () => {
  const client = await connect(server.url)
  const before = await bed.revenue()
  // Before any payment: nobody signs for a call that cannot be answered.
  const wrong = await callOf(client)('getBlock', { height: 0 })
  assert.deepEqual([wrong.isError, textOf(wrong)], [true, 'height must be 1 or more'])
  for (const pay of [callByX402, callByMpp]) {
    const unknown = await pay(await connect(server.url), server.settings)('getBlock', { height: 99_999_999 })
    assert.deepEqual([unknown.isError, textOf(unknown)], [true, 'nothing found'])
  }
  const send = (_meta: Record<string, unknown>) => client.callTool({ name: 'getHead', arguments: {}, _meta })
  const malformed = (await send({ [X402_PAYMENT]: { x402Version: 2 } })) as ToolResult
  assert.deepEqual([malformed.isError, textOf(malformed)], [true, 'Credential is malformed: not a payment of version 2.'])
  await assert.rejects(send({ [Mcp.credentialMetaKey]: { challenge: {} } }), { code: -32602 })
  const both = (await send({ [X402_PAYMENT]: {}, [Mcp.credentialMetaKey]: {} })) as ToolResult
  assert.equal(both.isError, true)
  assert.equal(await bed.revenue(), before)
  await client.close()
})

test('a credential for another call gets the error of its protocol, with fresh challenges', async () => {
  const client = await connect(server.url)
  let credential: unknown
  const spied = await connect(server.url)
  const callTool = spied.callTool.bind(spied)
  spied.callTool = (params, ...rest) => {
    credential ??= params._meta?.[Mcp.credentialMetaKey]
    return callTool(params, ...rest)
  }
  const bought = await callByMpp(spied, server.settings)('getHead')
  assert.ok(!bought.isError)
  await assert.rejects(
    client.callTool({ name: 'getBlock', arguments: { height: 7 }, _meta: { [Mcp.credentialMetaKey]: credential } }),
    (error) => {
      const { code, data } = error as { code: number; data: { httpStatus: number; challenges: unknown[] } }
      assert.deepEqual([code, data.httpStatus, data.challenges.length], [Mcp.paymentVerificationFailedCode, 402, 1])
      return true
    },
  )
  await client.close()
  await spied.close()
})

test('a resource is paid for like a call of its operation, with both protocols', async () => {
  const client = await connect(server.url)
  const before = await bed.revenue()
  const read = async (uri: string, _meta = {}) => {
    const { contents, ...told } = await client.readResource({ uri, _meta })
    return { text: (contents[0] as { text: string }).text, ...told }
  }
  const demand = async (uri: string) => {
    const error = await read(uri).then(
      () => assert.fail('nothing was demanded'),
      (error: { code: number; data: unknown }) => error,
    )
    assert.equal(error.code, Mcp.paymentRequiredCode)
    return error.data as PaymentRequired & { challenges: Challenge.Challenge[] }
  }
  assert.match((await read('celestia://dictionary/Block')).text, /height/)
  const offer = await demand('celestia://block/7')
  assert.deepEqual([offer.accepts[0]!.amount, offer.resource.url], ['1000', `${server.url}/v1/block/7`])
  const payment = await x402ClientOf(server.settings, payerKey(1)).createPaymentPayload(offer)
  const byX402 = await read('celestia://block/7', { [X402_PAYMENT]: payment })
  assert.equal((JSON.parse(byX402.text) as { height: number }).height, 7)
  assert.match(transactionOf(byX402, 'x402'), /^0x/)
  const credentialFor = async (uri: string) => {
    const { challenges } = await demand(uri)
    const headers = { 'www-authenticate': Challenge.serialize(challenges[0]!) }
    const prepared = await mppClient(server.settings).preparePayment(new Response(null, { status: 402, headers }))
    return { [Mcp.credentialMetaKey]: Credential.deserialize(await prepared.createCredential()) }
  }
  const byMpp = await read('celestia://block/7', await credentialFor('celestia://block/7'))
  assert.equal(byMpp.text, byX402.text)
  assert.match(transactionOf(byMpp, 'mpp'), /^0x/)
  const unknown = 'celestia://block/99999999'
  await assert.rejects(read(unknown, await credentialFor(unknown)), { code: -32002, message: /nothing found/ })
  assert.equal((await bed.revenue()) - before, 2n * toAtomic(TIER_USD.A))
  await client.close()
})

test('prompts name only what is sold', async () => {
  const basic = await bed.serve({ addRoutes: addMcpToPaidSurface })
  const client = await connect(basic.url)
  const { prompts } = await client.listPrompts()
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['explain_transaction', 'validator_health'],
  )
  const { messages } = await client.getPrompt({ name: 'explain_transaction', arguments: { hash: 'ab'.repeat(32) } })
  const { text } = messages[0]!.content as { text: string }
  assert.deepEqual(
    [...text.matchAll(/^- (\w+)/gm)].map(([, tool]) => tool),
    ['getTransaction', 'listTransactionMessages'],
  )
  await client.close()
})

test('what is answered for nothing is limited like offers', async () => {
  const limits = { ...bed.settings.limits, challengesPerS: 0.01, challengeBurst: 10 }
  const strict = await bed.serve({ addRoutes: addMcpToPaidSurface, settings: { limits } })
  // Three messages make a connection.
  const client = await connect(strict.url)
  for (let i = 0; i < 3; i++) await client.readResource({ uri: 'celestia://dictionary' })
  for (let i = 0; i < 3; i++) assert.ok(!(await callOf(client)('find_operation', { words: 'block' })).isError)
  assert.equal((await callOf(client)('getHead')).isError, true)
  const refused = /too many requests without payment; try again in \d+ seconds/
  await assert.rejects(client.readResource({ uri: 'celestia://dictionary' }), { code: -32600, message: refused })
  assert.match(textOf(await callOf(client)('find_operation', { words: 'block' })), refused)
  await assert.rejects(client.listTools(), /429|too many requests/)
  await client.close()
})
