import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { waitUntil } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import type { Received } from './receiver.ts'
import { LOCAL } from './settings.ts'
import { type Client, clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

let client: Client
let head: number

before(async () => {
  const url = await freshDatabase('devnet')
  const key = await makeKey(url)
  const api = await openWebhookApi(url, {
    access: { plans: [{ name: 'free', requests_per_second: 100_000, webhooks: 100 }] },
    webhooks: { deliver: true, target: { ...LOCAL.target, timeoutMs: 10_000 }, delivery: LOCAL.delivery },
  })
  await api.service.parts.ring.refresh()
  client = clientOf(api, key)
  head = (await get('/head')).last_height
})

const get = async (path: string) => (await client('GET', path)).body

// biome-ignore-start lint/suspicious/noExplicitAny: rows of any list
/** All rows of a list, oldest first. */
async function listAll(path: string): Promise<any[]> {
  const rows: any[] = []
  for (;;) {
    const page: any[] = (await get(`${path}${path.includes('?') ? '&' : '?'}sort=asc&limit=100&offset=${rows.length}`)) ?? []
    rows.push(...page)
    if (page.length < 100) return rows
  }
}
// biome-ignore-end lint/suspicious/noExplicitAny: rows of any list

/** Everything that a subscription sends of the chain. */
async function collect(events: string[], filters: Record<string, unknown> = {}, from = 1): Promise<Received[]> {
  const { receiver, id } = await subscribe(client, { events, filters, from })
  await waitUntil(async () => (await get(`/webhooks/${id}`)).height === head)
  assert.deepEqual(receiver.invalid, [])
  // At least once: a slow machine may have let one time out.
  const all = [...new Map(receiver.events.map((event) => [event.id, event])).values()]
  const heights = all.map(({ height }) => height)
  assert.deepEqual(
    heights,
    heights.toSorted((a, b) => a - b),
  )
  await client('DELETE', `/webhooks/${id}`)
  return all
}

test('blocks of the past come in order, signed, with the object that REST answers', async () => {
  const { receiver } = await subscribe(client, { events: ['block'], from: head - 19 })
  const events = await receiver.until(({ length }) => length === 20)
  assert.deepEqual(
    events.map(({ height }) => height),
    Array.from({ length: 20 }, (_, i) => head - 19 + i),
  )
  assert.deepEqual(receiver.invalid, [])
  for (const event of [events[0]!, events[19]!]) {
    const block = await get(`/block/${event.height}?stats=true`)
    assert.deepEqual(event.data, block)
    assert.deepEqual([event.type, event.timestamp, event.network, event.position], ['block', block.time, 'main', 0])
  }
})

test('transactions by signer, address and message type, and blobs by namespace, are those of the lists', async () => {
  const from = head - 30
  const inBlocks = (await listAll('/tx')).filter(({ height }) => height >= from)
  const { hash: signer } = inBlocks[0].signers[0]
  const ofSigner = await collect(['tx'], { signer: [signer] }, from)
  assert.deepEqual(
    ofSigner.map(({ data }) => data),
    inBlocks.filter(({ signers }) => signers.some(({ hash }: { hash: string }) => hash === signer)),
  )
  assert.ok(ofSigner.length > 0 && ofSigner.every(({ position, data }) => position === data.position))

  const [type] = inBlocks.find(({ message_types: types }) => !types.includes('MsgPayForBlobs')).message_types
  const ofType = await collect(['tx'], { message_type: [type] }, from)
  assert.deepEqual(
    ofType.map(({ data }) => data.id),
    inBlocks.filter(({ message_types: types }) => types.includes(type)).map(({ id }) => id),
  )

  const messages = (await listAll(`/address/${signer}/messages`)).filter(({ height }) => height >= from)
  const named = await collect(['tx'], { address: [signer] }, from)
  assert.deepEqual(new Set(named.map(({ data }) => data.hash)), new Set(messages.map(({ tx }) => tx.hash)))
  assert.ok(named.length > 0)

  const [{ namespace_id: id, version, hash: namespace }] = await get('/namespace?limit=1&sort_by=time')
  const blobs = await collect(['blob', 'tx'], { namespace: [namespace] }, from)
  const listed = (await listAll(`/namespace/${id}/${version}/blobs`)).filter(({ height }) => height >= from)
  const sent = blobs.filter(({ type: kind }) => kind === 'blob').map(({ data }) => data)
  assert.deepEqual(
    sent.map(({ id: blob }) => blob),
    listed.map(({ id: blob }) => blob).sort((a, b) => a - b),
  )
  assert.ok(sent.length > 0)
  const txs = blobs.filter(({ type: kind }) => kind === 'tx').map(({ data }) => data.hash)
  assert.deepEqual(new Set(txs), new Set(sent.map(({ tx }) => tx.hash)))
})

test('transfers above an amount: those of the bank, of IBC and of Hyperlane', async () => {
  const from = head - 60
  const [bank, all] = [await collect(['transfer'], {}, from), await collect(['ibc_transfer', 'hyperlane_transfer'])]
  const amountOf = ({ type, data }: Received): bigint =>
    BigInt(
      type === 'transfer'
        ? (data.data.Amount?.[0]?.Amount ?? data.data.Amount?.[0]?.amount ?? 0)
        : (data.amount ?? data.received),
    )
  const sends = bank.filter(({ data }) => data.type === 'MsgSend')
  assert.ok(sends.length > 2, `${sends.length} sends`)
  const level = sends.map(amountOf).sort((a, b) => (a < b ? -1 : 1))[Math.floor(sends.length / 2)]!
  const above = await collect(['transfer'], { min_amount: String(level) }, from)
  assert.deepEqual(
    above.filter(({ data }) => data.type === 'MsgSend').map(({ data }) => data.id),
    sends.filter((event) => amountOf(event) >= level).map(({ data }) => data.id),
  )
  const ibc = await listAll('/ibc/transfer')
  assert.deepEqual(
    all.filter(({ type }) => type === 'ibc_transfer').map(({ data }) => data),
    ibc.filter(({ height }) => height > 0),
  )
  const hyperlane = await listAll('/hyperlane/transfer')
  assert.deepEqual(
    all.filter(({ type }) => type === 'hyperlane_transfer').map(({ data }) => data.id),
    hyperlane.map(({ id }) => id),
  )
})

test('validators that are slashed or jailed, and the states of proposals', async () => {
  const events = await collect(['validator.slashed', 'validator.jailed', 'validator.unjailed', 'proposal'])
  const slashed = events.filter(({ type }) => type === 'validator.slashed')
  const validators = await listAll('/validators')
  const jails = (await Promise.all(validators.map(({ id }) => get(`/validators/${id}/jails?limit=100`)))).flat()
  assert.deepEqual(slashed.map(({ height }) => height).sort(), jails.map(({ height }) => height).sort())
  for (const { data } of slashed) assert.ok(data.validator.id > 0 && data.reason !== '')
  const jailed = new Map<number, boolean>()
  for (const { type, data } of events) if (/jailed/.test(type)) jailed.set(data.id, type === 'validator.jailed')
  for (const [id, isJailed] of jailed) assert.equal(validators.find((each) => each.id === id)?.jailed, isJailed)
  assert.ok(jailed.size > 0, 'nobody was jailed')

  const proposals = await listAll('/proposal')
  const last = new Map(events.filter(({ type }) => type === 'proposal').map(({ data }) => [data.id, data.status]))
  for (const { id, status, height } of proposals) if (height > 0) assert.equal(last.get(id), status, `proposal ${id}`)
  const ended = await collect(['proposal'], { proposal_status: ['applied', 'rejected'] })
  assert.deepEqual(
    ended.map(({ data }) => data.id),
    events.filter(({ type, data }) => type === 'proposal' && /applied|rejected/.test(data.status)).map(({ data }) => data.id),
  )
})

test('the gas price is told when it rises to a level, not while it stays there', async () => {
  const from = head - 40
  const changes = await collect(['gas_price'], {}, from)
  assert.deepEqual(changes.at(-1)!.data, await get('/gas/price'))
  const prices = changes.map(({ data }) => Number(data.median))
  const level = Math.max(...prices) - 1e-5
  const rises = await collect(['gas_price'], { min_gas_price: level }, from)
  assert.ok(rises.length > 0 && rises.length < changes.length)
  for (const { data } of rises) assert.ok(Number(data.median) >= level - 1e-6)
})
