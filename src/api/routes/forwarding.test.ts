import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Action,
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  aSend,
  aTx,
  aTypedEvent,
  movedCoins,
} from '../../../test/builders.ts'
import { indexBlocks } from '../../../test/support/built-chain.ts'
import { type ServedChain, serveChain } from '../../../test/support/served-chain.ts'
import { MsgForwardSchema } from '../../decode/gen/celestia/forwarding/v1/types_pb.ts'

const [alice, forwarder, vault] = [anAccount('alice'), anAccount('forwarder'), anAccount('vault')]
const id = (digit: string) => digit.repeat(64)
const RECIPIENT = `${'0'.repeat(24)}742d35cc6634c0532925a3b844bc9e7595f00001`

/** Everything the account holds goes on to another chain; here it ends in a vault. */
const forward = (amount: string, message: string): Action => ({
  message: aMessage(MsgForwardSchema, {
    signer: alice.text,
    forwardAddr: forwarder.text,
    destDomain: 5,
    destRecipient: `0x${RECIPIENT}`,
  }),
  events: [
    ...movedCoins(forwarder.text, vault.text, `${amount}utia`),
    aTypedEvent('celestia.forwarding.v1.EventTokenForwarded', {
      forward_addr: forwarder.text,
      token_id: `0x${id('a')}`,
      denom: 'utia',
      amount,
      message_id: `0x${id(message)}`,
    }),
  ],
})
const forwardTx = (amount: string, message: string) =>
  aTx({ from: alice.text, actions: [forward(amount, message)], memo: message })

describe('forwarding', () => {
  let api: ServedChain
  before(async () => {
    const { url, close } = await indexBlocks(aGenesis({ balances: { [alice.text]: 1_000_000n } }), [
      aBlock(1, { txs: [aSend(alice.text, forwarder.text, 10n)] }),
      aBlock(2, { txs: [aSend(alice.text, forwarder.text, 20n), forwardTx('30', 'd'), aSend(alice.text, forwarder.text, 7n)] }),
      aBlock(3, { txs: [aSend(alice.text, forwarder.text, 5n, { code: 5 }), forwardTx('7', 'e')] }),
    ])
    await close()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('a forwarding says what went where, and marks its account', async () => {
    const [second, first] = await api.list('/forwarding')
    assert.deepEqual(
      [
        first!.amount,
        first!.denom,
        first!.dest_domain,
        first!.dest_address,
        first!.token_id,
        first!.message_id,
        first!.forward_address,
      ],
      ['30', 'utia', 5, RECIPIENT, id('a'), id('d'), { hash: forwarder.text }],
    )
    assert.equal(second!.amount, '7')
    const { body } = await api.get<{ is_forwarding: boolean }>(`/address/${forwarder.text}`)
    assert.equal(body.is_forwarding, true)
  })

  test('its inputs are what came in since the one before, to the tx', async () => {
    const [second, first] = await api.list('/forwarding')
    const inputsOf = async (row: typeof first) =>
      (await api.get<{ inputs: Record<string, unknown>[] }>(`/forwarding/${row!.id}`)).body.inputs.map((input) => [
        input.received,
        input.from,
      ])
    assert.deepEqual(await inputsOf(first), [
      ['20', alice.text],
      ['10', alice.text],
    ])
    assert.deepEqual(await inputsOf(second), [['7', alice.text]])
  })

  test('the list can be narrowed by tx, account, height and time', async () => {
    const all = await api.list('/forwarding')
    const [second, first] = all
    assert.deepEqual(await api.list(`/forwarding?tx_hash=${first!.tx_hash}`), [first])
    assert.deepEqual(await api.list(`/forwarding?address=${forwarder.text}&cursor=${second!.id}`), [first])
    assert.deepEqual(await api.list('/forwarding?height=3'), [second])
    assert.deepEqual(await api.list(`/forwarding?from=${Date.parse(String(second!.time)) / 1000}`), [second])
    assert.deepEqual(await api.list(`/forwarding?address=${alice.text}`), [])
    assert.equal((await api.get(`/forwarding?address=${anAccount('stranger').text}`)).status, 400)
    assert.equal((await api.get(`/forwarding?tx_hash=${'0'.repeat(64)}`)).status, 400)
    assert.equal((await api.get<{ amount: string }>('/forwarding/1')).body.amount, first!.amount)
    assert.equal((await api.get('/forwarding/3')).status, 204)
  })
})
