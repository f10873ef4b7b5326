import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgSendSchema } from '../../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgDelegateSchema, MsgUndelegateSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import {
  accepted,
  acknowledged,
  acknowledgement,
  aTransferOut,
  escrow,
  executed,
  FOREIGN,
  failedEvents,
  hosted,
  openChannels,
  received,
  relayed,
  relayer,
  timedOut,
  unescrowed,
  VOUCHER,
  vouchersMinted,
} from '../../src/simulation/txs/ibc.ts'
import { aBlock, aGenesis, anAccount, anAny, anEvent, aValidator, movedCoins } from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { balancesOf, moneyOf, plain, spendableOf } from './read-rows.ts'
import { aLongAccount } from './signed-txs.ts'
import { burned, delegationEvents, unbondingEvents } from './staking-blocks.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const one = aValidator('one')
const ica = aLongAccount('interchain account')
const START = 50_000_000n
const FEE = 2000n

const genesis = () =>
  aGenesis({
    balances: { [alice.text]: START, [relayer.text]: START, [ica.text]: START, [one.text]: 11_000_000n },
    validators: [{ name: 'one', stake: 10_000_000n }],
    appState: { slashing: { params: { slash_fraction_downtime: '0.010000000000000000' } } },
  })

const out = (amount: string, sequence = 1n) => ({ denom: 'utia', amount, sender: alice.text, receiver: FOREIGN, sequence })
const back = (amount: string, receiver: string) => ({ denom: 'transfer/channel-3/utia', amount, sender: FOREIGN, receiver })
const atoms = (amount: string, receiver: string) => ({ denom: 'uatom', amount, sender: FOREIGN, receiver, memo: 'from afar' })
const atomsBack = (amount: string, sequence = 1n) => ({
  denom: 'transfer/channel-0/uatom',
  amount,
  sender: alice.text,
  receiver: FOREIGN,
  sequence,
})

async function transfersOf({ sql }: BuiltChain) {
  return plain(await sql`select height, direction, amount, denom, sequence from ibc_transfer order by id`)
}

async function channelOf({ sql }: BuiltChain) {
  return plain(await sql`select status, sent, received, transfers_count from ibc_channel where channel_id = 'channel-0'`)[0]
}

describe('transfers that do not arrive', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, { txs: [openChannels()] }),
      aBlock(2, { txs: [aTransferOut(out('1000000')), aTransferOut(out('2000000', 2n)), aTransferOut(out('3000000', 3n))] }),
      aBlock(3, { txs: [relayed(timedOut(out('1000000')))] }),
      aBlock(4, { txs: [relayed(acknowledged(out('2000000', 2n), 'ABCI code: 1: error handling packet'))] }),
      // Two relayers bring the same acknowledgement: the second finds nothing to do and still succeeds.
      aBlock(5, {
        txs: [relayed(acknowledged(out('3000000', 3n))), relayed({ ...acknowledged(out('3000000', 3n)), events: [] })],
      }),
    ])
  })
  after(() => chain.close())

  test('come back to the sender and make no row', async () => {
    assert.equal(await spendableOf(chain.sql, alice), START - 3_000_000n - 3n * FEE)
    assert.equal(await spendableOf(chain.sql, escrow), 3_000_000n)
    assert.deepEqual(await transfersOf(chain), [{ height: 5, direction: 'out', amount: '3000000', denom: 'utia', sequence: '3' }])
  })

  test('count nothing on the channel', async () => {
    assert.deepEqual(await channelOf(chain), { status: 'opened', sent: '3000000', received: '0', transfers_count: 1 })
  })
})

describe('transfers in both directions', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, { txs: [openChannels(), aTransferOut(out('5000000'))] }),
      aBlock(2, { txs: [relayed(acknowledged(out('5000000')))] }),
      // Native coins come home, foreign ones arrive; a second relayer brings the same packet.
      aBlock(3, {
        txs: [
          relayed(received(back('1500000', bob.text), unescrowed(bob.text, 1_500_000n))),
          relayed(received(atoms('700', alice.text), vouchersMinted(alice.text, 700n))),
          relayed({ ...received(atoms('700', alice.text), []), events: [] }),
        ],
      }),
      // Vouchers go back: burned here; one packet runs out of time and its vouchers are made again.
      aBlock(4, { txs: [aTransferOut(atomsBack('200')), aTransferOut(atomsBack('300', 2n))] }),
      aBlock(5, { txs: [relayed(acknowledged(atomsBack('200')), timedOut(atomsBack('300', 2n)))] }),
    ])
  })
  after(() => chain.close())

  test('each that arrived is a row with the denomination at its source', async () => {
    assert.deepEqual(await transfersOf(chain), [
      { height: 2, direction: 'out', amount: '5000000', denom: 'utia', sequence: '1' },
      { height: 3, direction: 'in', amount: '1500000', denom: 'utia', sequence: '1' },
      { height: 3, direction: 'in', amount: '700', denom: 'uatom', sequence: '1' },
      { height: 5, direction: 'out', amount: '200', denom: 'uatom', sequence: '1' },
    ])
  })

  test('native coins are held in escrow, vouchers exist as long as they are here', async () => {
    assert.equal(await spendableOf(chain.sql, escrow), 3_500_000n)
    assert.equal(await spendableOf(chain.sql, bob), 1_500_000n)
    const balances = await balancesOf(chain.sql, VOUCHER)
    assert.equal(balances[alice.hex], '500')
    const supply = await chain.sql`select denom, amount from supply where denom = ${VOUCHER}`
    assert.deepEqual(plain(supply), [{ denom: VOUCHER, amount: '500' }])
  })

  test('vouchers are no supply of the chain, and only utia is summed on the channel', async () => {
    const changes = await chain.sql`select sum(supply_change) as change from block where height > 0`
    assert.deepEqual(plain(changes), [{ change: '0' }])
    assert.deepEqual(await channelOf(chain), { status: 'opened', sent: '5000000', received: '1500000', transfers_count: 4 })
  })
})

describe('what a callback did before it failed', () => {
  let chain: BuiltChain
  before(async () => {
    const failed = [
      ...failedEvents([...movedCoins(escrow.text, bob.text, '400utia'), accepted]),
      acknowledgement('{"error":"ABCI code: 1"}'),
    ]
    const failedStaking = [
      ...failedEvents([...delegationEvents(ica.text, one.operator, 9_000_000n), anEvent('ics27_packet', { success: 'false' })]),
      acknowledgement('{"error":"ABCI code: 5"}'),
    ]
    const delegate = anAny(MsgDelegateSchema, { delegatorAddress: ica.text, validatorAddress: one.operator })
    chain = await indexAndReplay(genesis(), [
      aBlock(1, { txs: [openChannels(), aTransferOut(out('1000'))] }),
      aBlock(2, { txs: [relayed(received(back('400', bob.text), failed))] }),
      aBlock(3, { txs: [relayed(hosted([delegate], failedStaking))] }),
    ])
  })
  after(() => chain.close())

  test('is only told, never counted', async () => {
    assert.deepEqual(await transfersOf(chain), [])
    assert.equal(await spendableOf(chain.sql, escrow), 1000n)
    assert.equal((await moneyOf(chain.sql, bob))?.spendable, '0')
    assert.deepEqual(await moneyOf(chain.sql, ica), { spendable: String(START), delegated: '0', unbonding: '0' })
  })
})

describe('an interchain account', () => {
  let chain: BuiltChain
  const REQUESTED = 1_000_002n
  // 1 % of 13 units of power.
  const TOTAL = 10_000_000n + 3_333_333n
  const TOKENS = TOTAL - 130_000n
  before(async () => {
    const send = anAny(MsgSendSchema, { fromAddress: ica.text, toAddress: alice.text })
    const delegate = anAny(MsgDelegateSchema, { delegatorAddress: ica.text, validatorAddress: one.operator })
    const undelegate = anAny(MsgUndelegateSchema, {
      delegatorAddress: ica.text,
      validatorAddress: one.operator,
      amount: { denom: 'utia', amount: String(REQUESTED) },
    })
    chain = await indexAndReplay(genesis(), [
      aBlock(1, { txs: [openChannels()] }),
      aBlock(2, {
        txs: [
          relayed(
            hosted(
              [send, delegate],
              [
                ...movedCoins(ica.text, alice.text, '77utia'),
                ...delegationEvents(ica.text, one.operator, 3_333_333n),
                ...executed,
              ],
            ),
          ),
        ],
      }),
      aBlock(3),
      aBlock(4, {
        begin: [
          ...burned('bonded', 130_000n),
          anEvent('slash', {
            address: one.consText,
            power: '13',
            reason: 'missing_signature',
            jailed: one.consText,
            burned_coins: '130000',
          }),
        ],
      }),
      // After a slash the chain gives back a unit less than the message asked for.
      aBlock(5, {
        txs: [relayed(hosted([undelegate], [...unbondingEvents(ica.text, one.operator, REQUESTED - 1n, 5), ...executed]))],
      }),
    ])
  })
  after(() => chain.close())

  test('sends, delegates and unbonds like any other, and pays no fee', async () => {
    const shares = (TOTAL * 10n ** 18n * REQUESTED) / TOKENS
    const left = 3_333_333n * 10n ** 18n - shares
    const tokens = TOKENS - REQUESTED + 1n
    assert.deepEqual(await moneyOf(chain.sql, ica), {
      spendable: String(START - 77n - 3_333_333n),
      delegated: String((left * tokens) / (TOTAL * 10n ** 18n - shares)),
      unbonding: String(REQUESTED - 1n),
    })
    const rows = await chain.sql<{ shares: string }[]>`select shares from validator where moniker = 'one'`
    assert.equal(rows[0]?.shares.replace('.', ''), String(TOTAL * 10n ** 18n - shares))
  })

  test('is linked to the packets that it ran, and so is the validator', async () => {
    const links = await chain.sql`
      select count(*)::int as n from message_address l join address a on a.id = l.address_id where a.address = ${Buffer.from(ica.hex, 'hex')}`
    assert.deepEqual(plain(links), [{ n: 3 }])
    const validators = await chain.sql`select messages_count from validator where moniker = 'one'`
    assert.deepEqual(plain(validators), [{ messages_count: 3 }]) // and its genesis tx
  })
})
