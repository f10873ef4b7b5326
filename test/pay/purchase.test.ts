import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keccak256, toHex } from 'viem'
import { type Bed, makeBed, type Server } from './bed.ts'
import { joinedNonce, jsonNonce, mppClient, receiptOf, signMpp } from './clients.ts'

let bed: Bed
let server: Server

before(async () => {
  bed = await makeBed()
  server = await bed.serve()
})
after(() => bed.stop())

test('ten payments of one payer at once are ten answers and ten charges', async () => {
  const client = mppClient(server.settings)
  const before = await bed.revenue()
  const responses = await Promise.all(Array.from({ length: 10 }, () => client.fetch(`${server.url}/v1/head`)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(responses.map((response) => receiptOf(response).reference)).size, 10)
  assert.equal((await bed.revenue()) - before, 10_000n)
})

test('a credential whose nonce hashes id and realm as JSON is as good as one that joins them', async () => {
  const url = `${server.url}/v1/head`
  const before = await bed.revenue()
  for (const nonceOf of [joinedNonce, jsonNonce])
    assert.equal((await fetch(url, { headers: await signMpp(server.settings, url, { nonceOf }) })).status, 200)
  const neither = await fetch(url, {
    headers: await signMpp(server.settings, url, { nonceOf: ({ id }) => keccak256(toHex(id)) }),
  })
  assert.equal(neither.status, 402)
  assert.match(((await neither.json()) as { detail: string }).detail, /nonce mismatch/)
  assert.equal((await bed.revenue()) - before, 2000n)
})
