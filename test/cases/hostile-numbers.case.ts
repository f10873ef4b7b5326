import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Any } from '@bufbuild/protobuf/wkt'
import { MsgSignalVersionSchema } from '../../src/decode/gen/celestia/signal/v1/types_pb.ts'
import { MsgExecSchema } from '../../src/decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgSendSchema } from '../../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgCreatePeriodicVestingAccountSchema } from '../../src/decode/gen/cosmos/vesting/v1beta1/types_pb.ts'
import { openChannels, received, relayed, relayer, vouchersMinted } from '../../src/simulation/txs/ibc.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anAny,
  anEvent,
  aSend,
  aTx,
  aValidator,
  type BuiltTx,
  blockTime,
  mintedCoins,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay, indexBlocks } from '../support/built-chain.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'
import { balancesOf, moneyOf, plain } from './read-rows.ts'
import { refused } from './signed-txs.ts'
import { delegationEvents } from './staking-blocks.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const one = aValidator('one')
const U64 = 2n ** 64n - 1n
const I64 = 2n ** 63n - 1n
const U256 = 2n ** 256n - 1n
const START = 50_000_000n

const genesis = () =>
  aGenesis({
    balances: { [alice.text]: START, [relayer.text]: START, [one.text]: 11_000_000n },
    validators: [{ name: 'one', stake: 10_000_000n }],
  })

async function assertServed(api: ServedChain, heights: number[]): Promise<void> {
  const paths = [
    '/head',
    '/block?limit=100&stats=true',
    ...heights.flatMap((height) => ['', '/stats', '/events', '/messages', '/ods'].map((part) => `/block/${height}${part}`)),
    '/tx?limit=100&messages=true',
    '/address?limit=100',
    '/validators?limit=100',
    '/validators/1/uptime',
    '/ibc/transfer',
    '/signal',
    '/gas/price',
    '/stats/summary/tx/sum?column=fee',
    '/stats/series/gas_limit/hour',
    '/stats/series/fee/day',
    '/stats/tps',
    '/search?query=celestia',
  ]
  for (const path of paths) {
    const { status, text } = await api.get(path)
    assert.ok(status === 200 || status === 204, `${path}: ${status} ${text.slice(0, 200)}`)
  }
  for (const { hash } of (await api.list('/tx?limit=100')).filter((tx) => tx.hash !== ''))
    for (const part of ['', '/events', '/messages'])
      assert.equal((await api.get(`/tx/${hash}${part}`)).status, 200, `/tx/${hash}${part}`)
}

/** A MsgExec in a MsgExec in …: `depth` of them around the innermost message. */
function nested(depth: number, innermost: Any, events: ChainEvent[]): BuiltTx {
  let message = innermost
  for (let level = 0; level < depth; level++) message = anAny(MsgExecSchema, { grantee: alice.text, msgs: [message] })
  const indexed = events.map(({ type, attributes }): ChainEvent => {
    return {
      type,
      attributes: [...attributes, ...Array.from({ length: depth }, (): [string, string] => ['authz_msg_index', '0'])],
    }
  })
  return aTx({ from: alice.text, actions: [{ message, events: indexed }] })
}

/** Tests of the default run. */
export function testHostileNumbers(): void {
  describe('numbers at the end of their range', () => {
    let chain: BuiltChain
    let api: ServedChain
    before(async () => {
      const huge = `${U256}factory/huge`
      const vesting = aMessage(MsgCreatePeriodicVestingAccountSchema, {
        fromAddress: alice.text,
        toAddress: bob.text,
        startTime: -(2n ** 63n),
        vestingPeriods: [
          { length: I64, amount: [{ denom: 'utia', amount: String(U256) }] },
          { length: -5n, amount: [{ denom: 'utia', amount: '-1' }] },
        ],
      })
      chain = await indexAndReplay(genesis(), [
        aBlock(1, {
          begin: [
            ...mintedCoins('mint', huge),
            ...movedCoins(moduleText('mint'), alice.text, huge),
            anEvent('rewards', { validator: one.operator, amount: `${U256}.999999999999999999utia` }),
          ],
          txs: [
            aSend(alice.text, bob.text, 1n, { gasWanted: I64, gasUsed: I64, timeoutHeight: U64 }),
            aSend(alice.text, bob.text, 1n, { gasWanted: I64, gasUsed: I64 }),
            refused(aSend(alice.text, bob.text, U256, { gasWanted: U64, fee: U256 })),
            refused(aSend(alice.text, bob.text, 1n, { gasWanted: U64, fee: U256 })),
            aTx({ from: alice.text, actions: [{ message: vesting }] }),
            aTx({
              from: one.text,
              actions: [{ message: aMessage(MsgSignalVersionSchema, { validatorAddress: one.operator, version: U64 }) }],
            }),
          ],
        }),
        aBlock(2, {
          txs: [
            openChannels(),
            relayed(
              received(
                { denom: 'uatom', amount: String(U256), sender: 'osmo1x', receiver: bob.text, sequence: U64 },
                vouchersMinted(bob.text, U256),
              ),
            ),
          ],
        }),
        aBlock(3, {
          txs: [
            aTx({
              from: alice.text,
              actions: [{ message: aMessage(MsgSendSchema, {}), events: movedCoins(alice.text, bob.text, huge) }],
            }),
          ],
        }),
      ])
      api = await serveChain(chain.url)
    })
    after(async () => {
      await api?.close()
      await chain?.close()
    })

    test('amounts of 256 bits are kept to the last digit', async () => {
      assert.deepEqual(await balancesOf(chain.sql, 'factory/huge'), {
        [alice.hex]: '0',
        [bob.hex]: String(U256),
        dc6f17bbec824fff8f86587966b2047db6ab7367: '0',
      })
      const transfers = await chain.sql`select amount, sequence from ibc_transfer`
      assert.deepEqual(plain(transfers), [{ amount: String(U256), sequence: String(U64) }])
      const fees = await chain.sql`select fee from tx where height = 1 order by id`
      assert.deepEqual(
        fees.map(({ fee }) => fee),
        ['2000', '2000', String(U256), String(U256), '2000', '2000'],
      )
      const vestings = await chain.sql`select amount, start_time from vesting_account`
      assert.deepEqual(plain(vestings), [{ amount: String(U256), start_time: null }])
    })

    test('gas beyond what a column holds is cut there, in the block as well', async () => {
      const rows = await chain.sql`select gas_wanted::text, gas_used::text from tx where height = 1 order by id limit 4`
      assert.deepEqual(plain(rows), [
        { gas_wanted: String(I64), gas_used: String(I64) },
        { gas_wanted: String(I64), gas_used: String(I64) },
        { gas_wanted: String(I64), gas_used: '0' },
        { gas_wanted: String(I64), gas_used: '0' },
      ])
    })

    test('they are served', () => assertServed(api, [1, 2, 3]))
  })

  describe('what nobody understands', () => {
    let chain: BuiltChain
    let api: ServedChain
    before(async () => {
      const bytes = (...values: number[]): BuiltTx => {
        const { result } = refused(aSend(alice.text, bob.text, 1n), 'tx parse error')
        return { bytes: Buffer.from(values), result }
      }
      const delegate = anAny(MsgSendSchema, { fromAddress: alice.text, toAddress: bob.text })
      chain = await indexAndReplay(genesis(), [
        aBlock(1),
        aBlock(2, {
          txs: [
            bytes(),
            bytes(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
            bytes(0x0a, 0x05, 0x01),
            aTx({ from: alice.text, actions: [{ message: { typeUrl: '/future.v9.MsgBetter', value: Buffer.from('???') } }] }),
            aTx({
              from: alice.text,
              actions: [{ message: { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: Buffer.from([0xff]) } }],
            }),
            aTx({ from: alice.text, actions: [{ message: { typeUrl: `/${'long.'.repeat(2000)}Msg`, value: Buffer.alloc(0) } }] }),
            aTx({ from: alice.text, actions: [] }),
          ],
        }),
        aBlock(3, {
          txs: [nested(50, delegate, delegationEvents(alice.text, one.operator, 1_000_000n)), nested(3, delegate, [])],
        }),
      ])
      api = await serveChain(chain.url)
    })
    after(async () => {
      await api?.close()
      await chain?.close()
    })

    test('is stored raw and counted', async () => {
      const rows =
        await chain.sql`select length(raw) as bytes, messages_count, message_types, success from tx where height = 2 order by id`
      assert.deepEqual(
        rows.map(({ bytes, message_types, success }) => [bytes, message_types, success]),
        [
          [null, [0], false],
          [11, [0], false],
          [3, [0], false],
          [null, [0], true],
          [null, [0], true],
          [null, [0], true],
          [null, [0], true],
        ],
      )
      const head = await chain.sql`select total_undecodable_txs, total_unknown_messages from head`
      // Of fifty levels seventeen are read; what lies below is one unknown message, not silence.
      assert.deepEqual(plain(head), [{ total_undecodable_txs: 2, total_unknown_messages: 3 + 1 }])
    })

    test('events of a message nested fifty deep still count', async () => {
      assert.equal((await moneyOf(chain.sql, alice))?.delegated, '1000000')
    })

    test('is served', () => assertServed(api, [1, 2, 3]))
  })

  test('a chain may stand still for a year', async (t) => {
    const time = (days: number) => new Date(Date.parse(blockTime(1)) + days * 86_400_000).toISOString()
    const chain = await indexAndReplay(genesis(), [aBlock(1), aBlock(2, { time: time(365) })])
    t.after(() => chain.close())
    const rows = await chain.sql`select block_time from block where height = 2`
    assert.deepEqual(plain(rows), [{ block_time: 365 * 86_400_000 }])
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    for (const path of ['/block/2', '/block/2/stats', '/stats/series/block_time/month', '/stats/tps'])
      assert.equal((await api.get(path)).status, 200, path)
  })
}

/** Tests of the long run. */
export function testHostileNumbersAtLength(): void {
  test('a block of ten thousand txs, after one of none', async (t) => {
    const COUNT = 10_000
    const txs = Array.from({ length: COUNT }, (_, i) => aSend(alice.text, anAccount(`n ${i % 500}`).text, 1n))
    const chain = await indexBlocks(genesis(), [aBlock(1), aBlock(2, { txs })])
    t.after(() => chain.close())
    const rows =
      await chain.sql`select tx_count, messages_count, fee, tx_events_count from block where height > 0 order by height`
    assert.deepEqual(plain(rows), [
      { tx_count: 0, messages_count: 0, fee: '0', tx_events_count: 0 },
      { tx_count: COUNT, messages_count: COUNT, fee: String(2000 * COUNT), tx_events_count: COUNT * 10 },
    ])
    // Ids are height and position: the last one is as far from the first as there are rows.
    const ids = await chain.sql`
    select (select max(id) - min(id) from tx where height = 2)::int as txs, (select max(id) - min(id) from message where height = 2)::int as messages`
    assert.deepEqual(plain(ids), [{ txs: COUNT - 1, messages: COUNT - 1 }])
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    const page = await api.list('/block/2/messages?limit=100&offset=9900')
    assert.equal(page.length, 100)
    assert.equal(page.at(-1)?.position, 0)
    const last = await api.list('/tx?limit=100&offset=9900&sort=asc&height=2')
    assert.deepEqual([last.length, last.at(-1)?.position], [100, COUNT - 1])
  })
}
