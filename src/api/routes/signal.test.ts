import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { aBlock, aGenesis, aMessage, anAccount, anEvent, aTx, aValidator } from '../../../test/builders.ts'
import { indexBlocks } from '../../../test/support/built-chain.ts'
import { type ServedChain, serveChain } from '../../../test/support/served-chain.ts'
import { MsgSignalVersionSchema, MsgTryUpgradeSchema } from '../../decode/gen/celestia/signal/v1/types_pb.ts'

const alice = anAccount('alice')
const validators = [
  { name: 'large', stake: 50_000_000n },
  { name: 'small', stake: 1_000_000n },
]

const signal = (name: string, version: bigint) =>
  aTx({
    from: anAccount(name).text,
    actions: [
      {
        message: aMessage(MsgSignalVersionSchema, { validatorAddress: aValidator(name).operator, version }),
        events: [anEvent('signal_version', { validator_address: aValidator(name).operator, version: String(version) })],
      },
    ],
  })
const tryUpgrade = aTx({ from: alice.text, actions: [{ message: aMessage(MsgTryUpgradeSchema, { signer: alice.text }) }] })

describe('signals', () => {
  let api: ServedChain
  before(async () => {
    const balances = { [alice.text]: 1_000_000n, [anAccount('large').text]: 60_000_000n, [anAccount('small').text]: 9_000_000n }
    const { url, close } = await indexBlocks(aGenesis({ balances, validators }), [
      aBlock(1, { txs: [signal('small', 10n)] }),
      aBlock(2, { txs: [signal('large', 10n), signal('small', 11n)] }),
      aBlock(3, { txs: [tryUpgrade] }),
      aBlock(4, { versionApp: 10 }),
    ])
    await close()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('the list is newest first and can be narrowed', async () => {
    const all = await api.list('/signal')
    assert.deepEqual(
      all.map((row) => [row.height, row.version, row.voting_power, (row.validator as { moniker: string }).moniker]),
      [
        [2, 11, '1000000', 'small'],
        [2, 10, '50000000', 'large'],
        [1, 10, '1000000', 'small'],
      ],
    )
    const small = (all[0]!.validator as { id: number }).id
    assert.deepEqual(await api.list('/signal?version=10&sort=asc'), [all[2], all[1]])
    assert.deepEqual(await api.list(`/signal?validator_id=${small}&cursor=${all[0]!.id}`), [all[2]])
    assert.deepEqual(await api.list(`/signal?tx_hash=${all[1]!.tx_hash}`), [all[1]])
    assert.deepEqual(await api.list(`/signal?to=${Date.parse(String(all[0]!.time)) / 1000}`), [all[2]])
    assert.deepEqual(await api.list('/signal?version=0&validator_id=0'), all)
    assert.equal((await api.get(`/signal?tx_hash=${'0'.repeat(64)}`)).status, 204)
  })

  test('an upgrade tells who asked for it and when it took place', async () => {
    const [eleven, ten] = await api.list('/signal/upgrade')
    assert.deepEqual(
      [eleven!.version, eleven!.status, 'end_height' in eleven!, 'signer' in eleven!],
      [11, 'processing', false, false],
    )
    assert.deepEqual(
      [ten!.version, ten!.status, ten!.height, ten!.end_height, ten!.applied_at_level, ten!.signer],
      [10, 'applied', 1, 3, 4, { hash: alice.text }],
    )
    assert.match(String(ten!.tx_hash), /^[0-9a-f]{64}$/)
    assert.deepEqual((await api.get('/signal/upgrade/10')).body, ten)
    assert.deepEqual(await api.list(`/signal/upgrade?signer=${alice.text}`), [ten])
    assert.deepEqual(await api.list(`/signal/upgrade?tx_hash=${ten!.tx_hash}&height=1`), [ten])
    assert.equal((await api.get(`/signal/upgrade?signer=${anAccount('stranger').text}`)).status, 204)
    assert.equal((await api.get('/signal/upgrade/12')).status, 204)
  })
})
