import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgSendSchema } from '../../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { aBlock, aGenesis, aMessage, anAccount, aTx, aValidator, blockTime } from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'

const FIRST = 1000
const alice = anAccount('alice')
const one = aValidator('one')

/** A network that starts again keeps counting heights: genesis txs and all, at a height that is not 0. */
describe('a chain whose first height is 1000', () => {
  let chain: BuiltChain
  let api: ServedChain
  before(async () => {
    const genesis = aGenesis({
      balances: { [alice.text]: 50_000_000n, [one.text]: 11_000_000n },
      validators: [{ name: 'one', stake: 10_000_000n }],
    })
    const send = aMessage(MsgSendSchema, { fromAddress: one.text, toAddress: alice.text })
    chain = await indexAndReplay({ ...genesis, initial_height: String(FIRST), genesis_time: blockTime(FIRST - 1) }, [
      aBlock(FIRST),
      aBlock(FIRST + 1, { txs: [aTx({ from: one.text, actions: [{ message: send }], fee: 120_000n })] }),
      aBlock(FIRST + 2),
    ])
    api = await serveChain(chain.url)
  })
  after(async () => {
    await api.close()
    await chain.close()
  })

  test('has its genesis before the first block', async () => {
    const heights = async (path: string) => (await api.list(path)).map(({ height }) => height)
    assert.deepEqual(await heights('/block'), [999, 1000, 1001, 1002])
    assert.deepEqual(await heights('/block?offset=1&limit=2'), [1000, 1001])
    assert.deepEqual(await heights('/block?sort=desc&offset=3'), [999])
    assert.deepEqual(await heights('/block?sort=desc&offset=4'), [])
    const genesis = await api.list('/tx/genesis')
    assert.deepEqual(
      genesis.map(({ height, hash, message_types }) => [height, hash, message_types]),
      [[999, '', ['MsgCreateValidator']]],
    )
    assert.deepEqual(await heights('/tx'), [999, 1001])
  })

  test('counts in the series of an account and in gas prices from the first block on', async () => {
    const points = await api.list(`/address/${one.text}/stats/tx_count/month`)
    assert.deepEqual(
      points.map(({ value }) => value),
      ['1'],
    )
    // One tx of 1.2 per gas in three blocks.
    assert.equal((await api.get('/gas/price/slow')).body, '0.400000')
  })

  test('shows no signatures of genesis', async () => {
    const { body } = await api.get<{ blocks: { height: number }[] }>('/validators/1/uptime?limit=100')
    assert.deepEqual(
      body.blocks.map(({ height }) => height),
      [1001, 1000],
    )
  })
})
