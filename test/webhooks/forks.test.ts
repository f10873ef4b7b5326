import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALICE, ForkingChain } from '../live/forking-chain.ts'
import { freshDatabase } from '../support/database.ts'
import { clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

test('an event of a height that was passed over on the branch before is sent', async () => {
  const url = await freshDatabase()
  // Blocks are empty below the line and hold a tx of each account above it.
  let chance = 0.5
  const chain = await ForkingChain.open(url, () => chance)
  await chain.extend(3)
  const api = await openWebhookApi(url)
  const client = clientOf(api, await makeKey(url))
  await api.service.parts.ring.refresh()
  const blocks = await subscribe(client, { events: ['block'] })
  const txs = await subscribe(client, { events: ['tx'], filters: { signer: [ALICE.text] } })
  const isTold = () => blocks.receiver.until((events) => events.some(({ data }) => data.hash === chain.at(chain.height)!.hash))
  for (let round = 0; round < 3; round++) {
    chance = 0.5
    await chain.extend(1)
    await isTold()
    chance = 0.9
    await chain.fork(chain.height - 1, 1)
    await isTold()
  }
  const expected = [4, 5, 6].map((height) => chain.at(height)!.txs[0]!.hash)
  await txs.receiver.until((events) => events.some(({ data }) => data.hash === expected.at(-1)))
  assert.deepEqual(
    txs.receiver.events.map(({ data }) => data.hash),
    expected,
  )
})
