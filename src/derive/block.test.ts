import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aBlob,
  aBlock,
  aMessage,
  anAccount,
  anEvent,
  aPayForBlobs,
  aSend,
  aTx,
  aValidator,
  mintedCoins,
  moduleText,
  movedCoins,
} from '../../test/builders.ts'
import { MsgSendSchema } from '../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgDepositValidatorRewardsPoolSchema } from '../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { MsgDelegateSchema } from '../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { addressRoleId } from '../types/address-role.ts'
import { messageTypeId } from '../types/message-type.ts'
import { deriveBlock } from './block.ts'

const [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map(anAccount) as [Account, Account, Account, Account]
type Account = ReturnType<typeof anAccount>
const collector = moduleText('fee_collector')

const anAccountOf = (text: string) =>
  deriveBlock(aBlock(1, { begin: [anEvent('coin_received', { receiver: text, amount: '1utia' })] })).addresses[0]

test('accounts get ids in the order begin events, signers, fee payer, links, tx events, end events', () => {
  const [eve, frank] = [anAccount('eve'), anAccount('frank')]
  const facts = deriveBlock(
    aBlock(5, {
      begin: movedCoins(dave.text, carol.text, '1utia'),
      txs: [aSend(bob.text, alice.text, 7n, { payer: eve.text })],
      end: movedCoins(frank.text, alice.text, '1utia'),
    }),
  )
  const order = facts.addresses.filter((hex) => hex !== anAccountOf(collector))
  assert.deepEqual(order, [dave.hex, carol.hex, bob.hex, eve.hex, alice.hex, frank.hex])
})

test('coins move by coin_spent and coin_received alone', () => {
  const { coins } = deriveBlock(
    aBlock(5, {
      begin: [
        ...movedCoins(alice.text, bob.text, '10utia,3ibc/AA'),
        anEvent('coinbase', { minter: alice.text, amount: '99utia' }),
        anEvent('burn', { burner: alice.text, amount: '98utia' }),
        anEvent('transfer', { sender: alice.text, recipient: bob.text, amount: '97utia' }),
        anEvent('ibccallbackerror-coin_spent', { spender: alice.text, amount: '96utia' }),
      ],
    }),
  )
  assert.deepEqual(coins, [
    { address: alice.hex, denom: 'utia', delta: -10n, cause: 'transfer' },
    { address: alice.hex, denom: 'ibc/AA', delta: -3n, cause: 'transfer' },
    { address: bob.hex, denom: 'utia', delta: 10n, cause: 'transfer' },
    { address: bob.hex, denom: 'ibc/AA', delta: 3n, cause: 'transfer' },
  ])
})

test('an account whose coins come and go within the block is touched with a sum of zero', () => {
  const { coins } = deriveBlock(
    aBlock(5, { begin: [...movedCoins(alice.text, bob.text, '4utia'), ...movedCoins(bob.text, alice.text, '4utia')] }),
  )
  assert.deepEqual(
    coins.map(({ delta }) => delta),
    [0n, 0n],
  )
})

test('supply grows by coinbase and shrinks by burn, and the mint event adds nothing to it', () => {
  const { supply, stats } = deriveBlock(
    aBlock(5, {
      begin: [
        ...mintedCoins('mint', '500utia'),
        anEvent('mint', { inflation_rate: '0.026700000000000000', annual_provisions: '1.0', amount: '500' }),
        ...mintedCoins('transfer', '70ibc/AA'),
      ],
      end: [
        anEvent('coin_spent', { spender: moduleText('gov'), amount: '30utia' }),
        anEvent('burn', { burner: moduleText('gov'), amount: '30utia' }),
      ],
    }),
  )
  assert.deepEqual(supply, [
    { denom: 'utia', delta: 500n, cause: 'mint' },
    { denom: 'ibc/AA', delta: 70n, cause: 'ibc' },
    { denom: 'utia', delta: -30n, cause: 'deposit' },
  ])
  assert.equal(stats.supplyChange, 470n)
  assert.equal(stats.inflationRate, 26_700_000_000_000_000n)
})

test('a failed tx pays its fee and keeps its links, but nothing else of its messages happens', () => {
  const validator = aValidator('val')
  const message = aMessage(MsgDelegateSchema, {
    delegatorAddress: alice.text,
    validatorAddress: validator.operator,
    amount: { denom: 'utia', amount: '5' },
  })
  const { txs, messages, effects, coins } = deriveBlock(
    aBlock(5, { txs: [aTx({ from: alice.text, actions: [{ message }], fee: 300n, code: 5, log: 'no\u0000luck' })] }),
  )
  assert.deepEqual(
    coins.map(({ delta }) => delta),
    [-300n, 300n],
  )
  assert.deepEqual(effects, [])
  assert.deepEqual(messages[0]!.links, [
    [alice.hex, addressRoleId('delegator')],
    [validator.hex, addressRoleId('validator')],
  ])
  assert.deepEqual(messages[0]!.validators, [validator.hex])
  assert.equal(txs[0]!.success, false)
  assert.equal(txs[0]!.error, 'no\ufffdluck')
})

test('events that a node lists for the messages of a failed tx are not believed', () => {
  const tx = aSend(alice.text, bob.text, 50n)
  const failed = { ...tx, result: { ...tx.result, code: 11 } }
  const { coins } = deriveBlock(aBlock(5, { txs: [failed] }))
  assert.equal(coins.find(({ address }) => address === alice.hex)!.delta, -2000n)
})

test('bytes that are no tx keep their row and are counted', () => {
  const bytes = Uint8Array.of(0xff, 0xff, 0xff)
  const result = aSend(alice.text, bob.text, 1n).result
  const facts = deriveBlock(
    aBlock(5, { txs: [{ bytes, result: { ...result, code: 2, events: [anEvent('tx', { acc_seq: `${carol.text}/7` })] } }] }),
  )
  const [tx] = facts.txs
  assert.equal(facts.undecodableTxs, 1)
  assert.equal(facts.messages.length, 0)
  assert.deepEqual(tx!.raw, bytes)
  assert.deepEqual(tx!.messageTypes, [0])
  assert.deepEqual(tx!.signers, [carol.hex])
  assert.equal(tx!.hash.length, 64)
})

test('a message of an unknown type is kept as MsgUnknown and counted by its type URL', () => {
  const message = { typeUrl: '/new.module.v1.MsgNew', value: Uint8Array.of(8, 1) }
  const facts = deriveBlock(
    aBlock(5, { txs: [aTx({ from: alice.text, actions: [{ message }, { message }], signers: [alice.text] })] }),
  )
  assert.deepEqual(facts.unknownMessages, [{ typeUrl: '/new.module.v1.MsgNew', count: 2 }])
  assert.deepEqual(
    facts.messages.map(({ type, typeUrl, links }) => ({ type, typeUrl, links })),
    Array(2).fill({ type: 0, typeUrl: '/new.module.v1.MsgNew', links: [] }),
  )
  assert.deepEqual(facts.txs[0]!.signers, [alice.hex])
})

test('a value that is not of its type makes the message unknown', () => {
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: Uint8Array.of(10, 200) }
  const facts = deriveBlock(aBlock(5, { txs: [aTx({ from: alice.text, actions: [{ message }] })] }))
  assert.equal(facts.messages[0]!.type, 0)
  assert.deepEqual(facts.unknownMessages, [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', count: 1 }])
})

test('addresses of other chains make no link', () => {
  const message = aMessage(MsgSendSchema, { fromAddress: alice.text, toAddress: 'cosmos1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnrujsuw' })
  const facts = deriveBlock(aBlock(5, { txs: [aTx({ from: alice.text, actions: [{ message }] })] }))
  assert.deepEqual(facts.messages[0]!.links, [[alice.hex, addressRoleId('fromAddress')]])
})

test('the same address in one role is linked once, in two roles twice', () => {
  const facts = deriveBlock(aBlock(5, { txs: [aSend(alice.text, alice.text, 1n)] }))
  assert.deepEqual(facts.messages[0]!.links, [
    [alice.hex, addressRoleId('fromAddress')],
    [alice.hex, addressRoleId('toAddress')],
  ])
})

test('fees in tia count a million times, other denoms are kept aside', () => {
  const feeCoins = [
    { denom: 'utia', amount: '5' },
    { denom: 'tia', amount: '2' },
    { denom: 'ibc/AA', amount: '9' },
    { denom: 'ibc/BB', amount: '8' },
  ]
  const { txs, stats } = deriveBlock(aBlock(5, { txs: [aSend(alice.text, bob.text, 1n, { feeCoins })] }))
  assert.equal(txs[0]!.feeUtia, 2_000_005n)
  assert.equal(txs[0]!.feeOther, '9ibc/AA,8ibc/BB')
  assert.equal(stats.feeUtia, 2_000_005n)
})

test('a tx that failed before its gas was set shows the gas it asked for', () => {
  const tx = aSend(alice.text, bob.text, 1n, { gasWanted: 90_000n, code: 32 })
  const { txs, stats } = deriveBlock(aBlock(5, { txs: [{ ...tx, result: { ...tx.result, gasWanted: 0n } }] }))
  assert.equal(txs[0]!.gasWanted, 90_000n)
  assert.equal(stats.gasLimit, 90_000n)
})

test('block statistics count block events, txs, gas, bytes and successful blobs', () => {
  const txs = [
    aSend(alice.text, bob.text, 1n),
    aPayForBlobs(alice.text, [aBlob('one', 'hello'), aBlob('two', 'you')]),
    aPayForBlobs(bob.text, [aBlob('one', 'lost')], { code: 11 }),
  ]
  const { stats } = deriveBlock(aBlock(5, { begin: [anEvent('liveness')], txs, end: [anEvent('x'), anEvent('y')] }))
  assert.deepEqual(
    [stats.txCount, stats.eventsCount, stats.blobsCount, stats.blobsSize, stats.gasLimit, stats.gasUsed, stats.feeUtia],
    [3, 3, 2, 8, 300_000n, 240_000n, 6000n],
  )
  assert.equal(
    stats.bytesInBlock,
    txs.reduce((sum, { bytes }) => sum + bytes.length, 0),
  )
})

test('rewards and commissions are summed per validator and for the block', () => {
  const [one, two] = [aValidator('one'), aValidator('two')]
  const { rewards, stats } = deriveBlock(
    aBlock(5, {
      begin: [
        anEvent('proposer_reward', { amount: '', validator: one.operator }),
        anEvent('commission', { amount: '0.500000000000000000utia', validator: one.operator }),
        anEvent('rewards', { amount: '5.000000000000000001utia', validator: one.operator }),
        anEvent('rewards', { amount: '2.000000000000000000utia', validator: two.operator }),
      ],
    }),
  )
  assert.deepEqual(rewards, [
    { operator: one.hex, rewards: 5_000_000_000_000_000_001n, commission: 500_000_000_000_000_000n },
    { operator: two.hex, rewards: 2_000_000_000_000_000_000n, commission: 0n },
  ])
  assert.equal(stats.rewards, 7_000_000_000_000_000_001n)
  assert.equal(stats.commissions, 500_000_000_000_000_000n)
})

test('a deposit into the rewards of a validator counts like the rewards of the block, unless the tx failed', () => {
  const one = aValidator('one')
  const message = aMessage(MsgDepositValidatorRewardsPoolSchema, {
    depositor: alice.text,
    validatorAddress: one.operator,
    amount: [{ denom: 'utia', amount: '10' }],
  })
  const events = [
    ...movedCoins(alice.text, moduleText('distribution'), '10utia'),
    anEvent('commission', { amount: '1.000000000000000000utia', validator: one.operator }),
    anEvent('rewards', { amount: '10.000000000000000000utia', validator: one.operator }),
  ]
  const actions = [{ message, events }]
  const { rewards, stats } = deriveBlock(
    aBlock(5, { txs: [aTx({ from: alice.text, actions }), aTx({ from: alice.text, actions, code: 5 })] }),
  )
  const [TEN, ONE] = [10n * 10n ** 18n, 10n ** 18n]
  assert.deepEqual(rewards, [{ operator: one.hex, rewards: TEN, commission: ONE }])
  assert.deepEqual([stats.rewards, stats.commissions], [TEN, ONE])
})

test('only commit signatures count as signed', () => {
  const signature = (name: string, flag: number) => ({
    flag,
    validatorAddress: flag === 1 ? '' : aValidator(name).consAddress,
    timestamp: '',
  })
  const { header } = deriveBlock(
    aBlock(5, {
      lastCommit: { height: 4, signatures: [signature('a', 2), signature('b', 1), signature('c', 3), signature('d', 2)] },
    }),
  )
  assert.deepEqual(header.signedBy, [aValidator('a').consAddress, aValidator('d').consAddress])
})

test('consensus parameters of the results become constants, validator updates become powers', () => {
  const { consAddress } = aValidator('v')
  const { effects } = deriveBlock(
    aBlock(5, {
      validatorUpdates: [{ consAddress, power: 0n }],
      consensusParamUpdates: { block: { maxBytes: '100', maxGas: '-1' } },
    }),
  )
  assert.deepEqual(effects, [
    { kind: 'validator-power', consAddress, power: 0n },
    {
      kind: 'set-constants',
      constants: [
        { module: 'consensus', name: 'block_max_bytes', value: '100' },
        { module: 'consensus', name: 'block_max_gas', value: '-1' },
      ],
    },
  ])
})

test('message types of a tx are listed once, in ascending order', () => {
  const send = aMessage(MsgSendSchema, { fromAddress: alice.text, toAddress: bob.text })
  const delegate = aMessage(MsgDelegateSchema, { delegatorAddress: alice.text })
  const { txs } = deriveBlock(
    aBlock(5, { txs: [aTx({ from: alice.text, actions: [{ message: send }, { message: delegate }, { message: send }] })] }),
  )
  assert.deepEqual(txs[0]!.messageTypes, [messageTypeId('MsgDelegate'), messageTypeId('MsgSend')])
  assert.equal(txs[0]!.messagesCount, 3)
})
