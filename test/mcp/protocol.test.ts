import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keyOperations } from '../../src/operations/key-operations.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { listUsage } from '../../src/store/access/usage.ts'
import { openGuardedApi, SECRETS, type TestApi } from '../access/guarded-api.ts'
import { freshDatabase } from '../support/database.ts'
import { callOf, connect, type ToolClient, textOf } from './clients.ts'

/** Resources, prompts, pages and the two tools that reach every operation, with the protocol's official client. */

let api: TestApi
let client: ToolClient
let url: string
let apikey: string
let account: string

before(async () => {
  api = await openGuardedApi(await freshDatabase('devnet'), { mcp: true })
  url = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const key = await createKey(api.service.sql, SECRETS, { role: 'client', plan: 'free', label: 'agent' })
  ;[apikey, account] = [key.text, key.account]
  await api.service.parts.ring.refresh()
  client = await connect(url, { apikey })
})
after(async () => {
  await client.close()
  await api.close()
})

const spent = async () => {
  await api.service.parts.usage.flush()
  return (await listUsage(api.service.sql, account, 2)).reduce((sum, { points }) => sum + points, 0)
}

async function costOf(ask: () => Promise<unknown>): Promise<number> {
  const before = await spent()
  await ask()
  return (await spent()) - before
}

test('lists never change while the server runs, and it says so', () => {
  const { tools, resources, prompts } = client.getServerCapabilities()!
  assert.deepEqual(
    [tools?.listChanged, resources?.listChanged, resources?.subscribe, prompts?.listChanged],
    [false, false, false, false],
  )
})

test('resources come in pages, and a cursor that is none of theirs is refused', async () => {
  const seen = new Set<string>()
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor })
    for (const { uri } of page.resources) seen.add(uri)
    cursor = page.nextCursor
    pages++
  } while (cursor !== undefined)
  assert.ok(pages > 1 && seen.size > 50, `${pages} pages, ${seen.size} resources`)
  for (const wrong of ['7', 'bm90', Buffer.from('7').toString('base64url'), Buffer.from('5000').toString('base64url')])
    for (const list of [() => client.listResources({ cursor: wrong }), () => client.listTools({ cursor: wrong })])
      await assert.rejects(list(), /-32602.*cursor/)
})

test('blocks, transactions, accounts and the data dictionary are resources', async () => {
  const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string; mimeType: string }
  const block = JSON.parse((await read('celestia://block/latest')).text) as { height: number }
  assert.equal(block.height, 403)
  const [tx] = (await (await fetch(`${url}/v1/tx?limit=1&sort=desc`)).json()) as { hash: string; signers: { hash: string }[] }[]
  assert.equal((JSON.parse((await read(`celestia://tx/${tx!.hash}`)).text) as { hash: string }).hash, tx!.hash)
  const signer = tx!.signers[0]!.hash
  assert.equal((JSON.parse((await read(`celestia://account/${signer}`)).text) as { hash: string }).hash, signer)
  assert.match((await read('celestia://dictionary')).text, /celestia:\/\/dictionary\/Block\n/)
  assert.match((await read('celestia://dictionary/Block')).text, /\| height \| integer \(int64\) \|/)
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ name }) => name),
    ['block', 'tx', 'account', 'dictionary'],
  )
  for (const uri of ['celestia://block/999999', 'celestia://nothing/1', 'celestia://dictionary/Nothing', 'celestia://block/x'])
    await assert.rejects(read(uri), /-32002/, uri)
})

test('prompts name the calls that answer them', async () => {
  const { prompts } = await client.listPrompts()
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['explain_transaction', 'cost_of_posting', 'validator_health'],
  )
  const { messages } = await client.getPrompt({ name: 'cost_of_posting', arguments: { bytes: '1000' } })
  const { text } = messages[0]!.content as { text: string }
  for (const [, operation] of text.matchAll(/operations? "([a-z-]+)"/g)) assert.ok(keyOperations().has(operation!), operation)
  assert.match(text, /1000 bytes/)
  await assert.rejects(client.getPrompt({ name: 'cost_of_posting' }), /bytes is required/)
  const { tools } = await client.listTools()
  assert.match(
    tools.find(({ name }) => name === 'find_operation')!.description!,
    /: gas, proposals, .* supply, and more \(\d+ operations\)/,
  )
  await assert.rejects(client.getPrompt({ name: 'nothing' }), /there is no prompt nothing/)
})

test('an operation is checked by its schema and costs what it costs over REST', async () => {
  const call = (operation: string, args: object = {}) => callOf(client)('call_operation', { operation, arguments: args })
  for (const [operation, args, sentence] of [
    ['get-nothing', {}, /^there is no operation get-nothing: find_operation lists/],
    ['get-block', {}, /^height is required$/],
    ['get-block', { height: 'x' }, /^height must be an integer$/],
    ['get-block', { hash: 'x' }, /^hash is not an argument of get-block: it takes height, stats$/],
    ['list-txs', { from: 'yesterday' }, /^from must be unix seconds, or a date or time as in ISO 8601, in whole seconds$/],
  ] as [string, object, RegExp][]) {
    const result = await call(operation, args)
    assert.equal(result.isError, true)
    assert.match(textOf(result), sentence)
  }
  const rest = (path: string) => () => fetch(url + path, { headers: { apikey } }).then((answer) => answer.text())
  for (const [operation, args, path] of [
    ['get-gas-price', {}, '/v1/gas/price'],
    ['list-proposals', {}, '/v1/proposal'],
    ['get-series', { name: 'tps', timeframe: 'hour' }, '/v1/stats/series/tps/hour'],
  ] as [string, object, string][]) {
    const byRest = await costOf(rest(path))
    assert.equal(await costOf(() => call(operation, args)), byRest, operation)
    assert.equal(textOf(await call(operation, args)), (await rest(path)()).trimEnd(), operation)
  }
  assert.equal(await costOf(() => callOf(client)('find_operation', { words: 'gas' })), 1)
  assert.equal(await costOf(() => client.readResource({ uri: 'celestia://block/7' })), await costOf(rest('/v1/block/7')))
})

test('latest and ISO times mean what they say', async () => {
  const latest = await callOf(client)('call_operation', { operation: 'get-block-stats', arguments: { height: 'latest' } })
  const named = await callOf(client)('getBlockStats', { height: 403 })
  assert.equal(textOf(latest), textOf(named))
  const seconds = Date.parse('2026-11-15T02:30:00Z') / 1000
  const [iso, unix, local] = await Promise.all(
    ['2026-11-15T02:30:00Z', seconds, '2026-11-15T03:30:00+01:00'].map((from) =>
      callOf(client)('listTransactions', { from, limit: 3 }),
    ),
  )
  assert.equal(textOf(iso!), textOf(unix!))
  assert.equal(textOf(iso!), textOf(local!))
})

test('words of a question find its operation, and wrong arguments are refused', async () => {
  const find = async (words: string) =>
    ((await callOf(client)('find_operation', { words })).structuredContent as { items: { operation: string }[] }).items.map(
      ({ operation }) => operation,
    )
  for (const [words, operation] of [
    ['who delegates to a validator', 'list-validator-delegators'],
    ['unbonding of an account', 'list-address-undelegations'],
    ['payload of a blob', 'get-blob'],
    ['prove that a transaction is in a block', 'get-tx-proof'],
    ['square of a block', 'get-block-ods'],
    ['authz grants given', 'list-address-grants'],
    ['rollups by month', 'get-all-rollup-series'],
    ['price of TIA over time', 'get-price-series'],
  ] as const)
    assert.ok((await find(words)).includes(operation), `${words}: ${(await find(words)).join(', ')}`)
  assert.deepEqual(await find('zzzz'), [])
  for (const args of [{}, { words: 'x' }, { words: 'gas', limit: 0 }, { words: 'gas', limit: 99 }, { words: 'gas', more: 1 }])
    assert.equal((await callOf(client)('find_operation', args)).isError, true, JSON.stringify(args))
})

test('resources are admitted like calls: by limits, and by what a key may be used for', async () => {
  const plans = [{ name: 'free', requests_per_second: 0.02, burst_seconds: 600 }]
  const limited = await openGuardedApi(await freshDatabase('devnet'), { mcp: true, access: { plans } })
  try {
    const address = await limited.app.listen({ host: '127.0.0.1', port: 0 })
    const restrictions = { operations: ['get-head'] }
    const narrow = await createKey(limited.service.sql, SECRETS, { role: 'client', plan: 'free', label: 'narrow', restrictions })
    await limited.service.parts.ring.refresh()
    const restricted = await connect(address, { apikey: narrow.text })
    await assert.rejects(restricted.readResource({ uri: 'celestia://block/7' }), { code: -32600, message: /get-block/ })
    await restricted.close()
    // Twelve points, two for the messages that make a connection and one for the client's event stream, whenever it opens that.
    const free = await connect(address)
    const uris = ['celestia://dictionary', 'celestia://block/7', 'celestia://nothing/7']
    const codes: unknown[] = []
    for (let i = 0; i < 12; i++)
      codes.push(
        await free.readResource({ uri: uris[i % 3]! }).then(
          () => 'read',
          ({ code }: { code: number }) => code,
        ),
      )
    const admitted = codes.indexOf(-32600)
    assert.ok(admitted === 9 || admitted === 10, `${admitted} reads were admitted`)
    const answers = ['read', 'read', -32002]
    assert.deepEqual(
      codes,
      codes.map((_, i) => (i < admitted ? answers[i % 3] : -32600)),
    )
    await assert.rejects(free.readResource({ uri: uris[0]! }), /rate limit exceeded; try again in \d+ seconds/)
    await free.close()
  } finally {
    await limited.close()
  }
})
