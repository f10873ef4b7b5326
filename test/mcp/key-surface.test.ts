import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG } from '../../src/operations/catalog.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { listUsage } from '../../src/store/access/usage.ts'
import { openGuardedApi, SECRETS, type TestApi } from '../access/guarded-api.ts'
import { callOf, connect, type ToolClient, type ToolResult, textOf } from './clients.ts'
import { callEveryTool } from './every-tool.ts'
import { pricedChain } from './priced-chain.ts'

/** Tools for agents on the key surface, called with the protocol's official client. */

let database: string
let api: TestApi
let url: string
let client: ToolClient

before(async () => {
  database = await pricedChain()
  api = await openGuardedApi(database, { mcp: true })
  url = await api.app.listen({ host: '127.0.0.1', port: 0 })
  client = await connect(url)
})
after(async () => {
  await client.close()
  await api.close()
})

test('the tools are the operations of the catalogue and two for all others, each with schemas of what goes in and comes out', async () => {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    [...CATALOG.map(({ id }) => id), 'find_operation', 'call_operation'],
  )
  for (const { name, inputSchema, outputSchema, description } of tools) {
    const { params, query } = CATALOG.find(({ id }) => id === name) ?? {}
    if (params && query)
      assert.deepEqual(Object.keys(inputSchema.properties ?? {}), [...Object.keys(params), ...Object.keys(query)])
    for (const [input, schema] of Object.entries(inputSchema.properties ?? {}))
      assert.ok((schema as { description?: string }).description, `${name}: ${input} is not described`)
    assert.equal(outputSchema?.type, 'object')
    assert.ok(description && /^Use it .+Gives /s.test(description) && !description.includes('USD'), description)
    assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /\$ref/)
  }
  const block = tools.find(({ name }) => name === 'getBlock')!
  assert.deepEqual(block.inputSchema.required, ['height'])
  assert.deepEqual(Object.keys(block.outputSchema?.properties ?? {}), ['height', 'hash', 'time', 'proposer'])
})

test('every tool answers, and its answer fits its schema', async () => {
  // The official client throws when a result does not fit.
  assert.deepEqual((await callEveryTool(callOf(client))).sort(), CATALOG.map(({ id }) => id).sort())
})

test('a tool gives what REST gives, as text and as an object, with the height it was read at', async () => {
  const answer = await fetch(`${url}/v1/block?limit=2&sort=desc&offset=0&stats=false`)
  const body = await answer.text()
  const result = await callOf(client)('listBlocks', { limit: 2 })
  assert.equal(textOf(result), body.trimEnd())
  assert.deepEqual(result.structuredContent, { items: JSON.parse(body) })
  assert.equal(result._meta?.['astrolabe/indexed-height'], Number(answer.headers.get('x-indexed-height')))
})

test('an unknown address is an empty answer, another unknown record an error', async () => {
  const unknown = await callOf(client)('getAddress', { hash: 'ab'.repeat(20) })
  assert.deepEqual([unknown.isError, unknown.structuredContent], [undefined, {}])
  const block = await callOf(client)('getBlock', { height: 99999999 })
  assert.deepEqual([block.isError, textOf(block)], [true, 'nothing found'])
})

test('a wrong argument is an error of the tool with a sentence about it', async () => {
  for (const [name, args, sentence] of [
    ['getBlock', {}, 'height is required'],
    ['getBlock', { height: null }, 'height is required'],
    ['getBlock', { height: 'x' }, 'height must be an integer'],
    ['getBlock', { height: 0 }, 'height must be 1 or more'],
    ['getBlock', { height: { $gt: 1 } }, 'height must be a text, a number, true or false'],
    ['listBlocks', { limit: 1000 }, 'limit must be 100 or less'],
    ['listBlocks', { size: 1 }, 'size is not an argument of listBlocks: it takes limit, offset, sort, stats'],
    ['search', {}, 'query is required'],
    ['getTransaction', { hash: '../block' }, 'hash must be a hash of 64 hex characters'],
    ['listTransactions', { msg_type: 'MsgNothing' }, /msg_type/],
  ] as [string, Record<string, unknown>, string | RegExp][]) {
    const result = await callOf(client)(name, args)
    assert.equal(result.isError, true, name)
    if (typeof sentence === 'string') assert.equal(textOf(result), sentence)
    else assert.match(textOf(result), sentence)
  }
  await assert.rejects(callOf(client)('getNothing'), /there is no tool getNothing/)
})

test('calls are charged as the same requests over REST, to the key that is sent', async () => {
  const limited = await openGuardedApi(database, {
    mcp: true,
    access: {
      plans: [
        { name: 'free', requests_per_second: 0.02, burst_seconds: 600, statistics: false },
        { name: 'small', requests_per_second: 0.1, burst_seconds: 400 },
      ],
    },
  })
  const address = await limited.app.listen({ host: '127.0.0.1', port: 0 })
  const made = await createKey(limited.service.sql, SECRETS, { role: 'client', plan: 'small', label: 'agent' })
  await limited.service.parts.ring.refresh()
  const left = async (headers: Record<string, string>) =>
    Number(/r=(\d+)/.exec((await fetch(`${address}/v1/head`, { headers })).headers.get('ratelimit') ?? '')?.[1])
  try {
    const key = { apikey: made.text }
    const byKey = await connect(address, key)
    const before = await left(key)
    const result = await callOf(byKey)('getHead')
    assert.ok(!result.isError)
    // One for the call, one for asking.
    assert.equal(await left(key), before - 2)
    const series = await callOf(byKey)('getSeries', { name: 'tps', timeframe: 'hour' })
    assert.ok(!series.isError, textOf(series))
    assert.equal(await left(key), before - 2 - 6)
    await byKey.close()
    // Twelve points, three of them for the messages that make a connection; what is left pays for calls and requests alike.
    const free = await connect(address)
    let served = 0
    const sentences = new Set<string>()
    for (let i = 0; i < 30; i++) {
      const result = await callOf(free)('getHead')
      if (result.isError) sentences.add(textOf(result).replace(/\d+/, 'n'))
      else served++
      if ((await fetch(`${address}/v1/head`)).ok) served++
    }
    assert.equal(served, 9)
    assert.deepEqual([...sentences], ['rate limit exceeded; try again in n seconds'])
    const refused = await callOf(free)('getTps')
    assert.deepEqual([refused.isError, textOf(refused)], [true, 'plan free does not include statistics'])
    await free.close()
    await assert.rejects(connect(address), /429|rate limit/)
    const wrong = { ...key, apikey: `${made.text.slice(0, -1)}${made.text.endsWith('A') ? 'B' : 'A'}` }
    await assert.rejects(connect(address, wrong), /not an API key|401/)
  } finally {
    await limited.close()
  }
})

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const batchOf = (count: number, name: string, args: object) =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }))
type Answered = { id: number; result: ToolResult }

test('a message holds a bounded number of calls, and its answers a bounded number of bytes', async () => {
  const post = (messages: unknown[], to = url) =>
    fetch(`${to}/mcp`, { method: 'POST', headers: HEADERS, body: JSON.stringify(messages) })
  const full = await post(batchOf(20, 'getHead', {}))
  assert.equal(((await full.json()) as Answered[]).filter(({ result }) => !result.isError).length, 20)
  const tooMany = await post(batchOf(21, 'getHead', {}))
  assert.deepEqual([tooMany.status, ((await tooMany.json()) as { code: string }).code], [413, 'too_many_messages'])
  const narrow = await openGuardedApi(database, { mcp: { answerBytes: 20_000 } })
  const address = await narrow.app.listen({ host: '127.0.0.1', port: 0 })
  const answered = (await (await post(batchOf(12, 'listBlocks', { limit: 20 }), address)).json()) as Answered[]
  const texts = answered.sort((a, b) => a.id - b.id).map(({ result }) => textOf(result))
  const cut = texts.findIndex((text) => /answers of this message/.test(text))
  assert.ok(cut > 0 && texts.slice(cut).every((text) => /answers of this message/.test(text)), String(cut))
  const bytes = texts.slice(0, cut).map((text) => text.length)
  assert.ok(bytes.slice(0, -1).reduce((sum, each) => sum + each, 0) < 20_000)
  await narrow.close()
})

test('a call that fails costs what it would have cost, whatever it fails of', async () => {
  const plans = [{ name: 'free', requests_per_second: 1000 }]
  const limited = await openGuardedApi(database, { mcp: true, access: { plans } })
  const address = await limited.app.listen({ host: '127.0.0.1', port: 0 })
  const { sql, parts } = limited.service
  const { text: apikey, account } = await createKey(sql, SECRETS, { role: 'client', plan: 'free', label: 'agent' })
  await parts.ring.refresh()
  const spent = async () => {
    await parts.usage.flush()
    return (await listUsage(sql, account, 2)).reduce((sum, { points }) => sum + points, 0)
  }
  const cost = async (body: unknown, headers: Record<string, string> = HEADERS) => {
    const before = await spent()
    await (await fetch(`${address}/mcp`, { method: 'POST', headers: { ...headers, apikey }, body: JSON.stringify(body) })).text()
    return (await spent()) - before
  }
  try {
    const [series] = batchOf(1, 'getSeries', { name: 'tps', timeframe: 'hour' })
    const whole = await cost(series)
    assert.ok(whole > 1)
    assert.equal(await cost(batchOf(1, 'getSeries', { name: 'tps', timeframe: 'never' })[0]), whole, 'a wrong argument')
    assert.equal(await cost(batchOf(1, 'getSeries', {})[0]), whole, 'a missing one')
    assert.equal(await cost(batchOf(5, 'getNothing', {})), 5, 'no such tool')
    assert.equal(await cost(batchOf(3, 'getBlock', { height: 99999999 })), 3, 'nothing found')
    assert.equal(await cost([{ jsonrpc: '2.0', id: 1, method: 'tools/call' }]), 1, 'no parameters')
    assert.equal(await cost([{ jsonrpc: '2.0', method: 'tools/call', params: { name: 'getHead' } }]), 1, 'no id')
    assert.equal(await cost([...batchOf(3, 'getHead', {}), { jsonrpc: '1.0' }]), 4, 'a message that spoils its batch')
    assert.equal(await cost(batchOf(2, 'getHead', {}), { ...HEADERS, accept: 'text/html' }), 2, 'an answer that nobody takes')
    assert.equal(await cost(batchOf(21, 'getHead', {})), 1, 'more calls than a message holds')
  } finally {
    await limited.close()
  }
})

test('an argument that is not valid text is refused, not replaced', async () => {
  for (const query of ['a\0b', 'a\ud800b']) {
    const result = await callOf(client)('search', { query })
    assert.deepEqual([result.isError, textOf(result)], [true, 'query is not valid text'])
  }
})

test('what is not of the protocol is refused in its words', async () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    })
  const broken = await post('{')
  assert.equal(broken.status, 400)
  assert.equal(((await broken.json()) as { error: { code: number } }).error.code, -32700)
  assert.equal((await post('{}', { accept: 'text/html' })).status, 406)
  assert.equal((await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(70_000) }))).status, 413)
  assert.equal((await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))).status, 202)
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'getHead', arguments: {} } }))
  assert.deepEqual(
    ((await (await post(JSON.stringify(batch))).json()) as { id: number; result: object }[]).map(({ id }) => id),
    [1, 2],
  )
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await fetch(`${url}/mcp`, { method })
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'OPTIONS, POST'])
  }
  const preflight = await fetch(`${url}/mcp`, { method: 'OPTIONS' })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /mcp-protocol-version/)
})
