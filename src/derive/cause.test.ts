import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlock, aMessage, anAccount, anEvent, aSend, aTx, mintedCoins, moduleText, movedCoins } from '../../test/builders.ts'
import { MsgExecSchema } from '../decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgSendSchema } from '../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgDelegateSchema } from '../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { MsgCreateVestingAccountSchema } from '../decode/gen/cosmos/vesting/v1beta1/types_pb.ts'
import { votingEnded } from '../simulation/txs/gov.ts'
import { aTransferOut, escrow, vouchersMinted } from '../simulation/txs/ibc.ts'
import type { ChainEvent } from '../types/chain.ts'
import { deriveBlock } from './block.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const [pool, unbonded, distribution, gov] = ['bonded_tokens_pool', 'not_bonded_tokens_pool', 'distribution', 'gov'].map(
  moduleText,
) as [string, string, string, string]

type Line = [account: string, cause: string, delta: bigint, tx: number | undefined]

/** Movements of the two accounts. */
function linesOf(spec: Parameters<typeof aBlock>[1]): Line[] {
  const names = new Map([
    [alice.hex, 'alice'],
    [bob.hex, 'bob'],
  ])
  return deriveBlock(aBlock(5, spec)).coins.flatMap(({ address, cause, delta, tx }): Line[] => {
    const name = names.get(address)
    return name === undefined ? [] : [[name, cause, delta, tx]]
  })
}

const causesOf = (begin: ChainEvent[], end: ChainEvent[] = []) => linesOf({ begin, end }).map(([, cause]) => cause)

const burned = (module: string, amount: string) => [
  anEvent('coin_spent', { spender: module, amount }),
  anEvent('burn', { burner: module, amount }),
]

test('a tx pays its fee first, and what its message moves has the cause of the message', () => {
  assert.deepEqual(linesOf({ txs: [aSend(alice.text, bob.text, 50n)] }), [
    ['alice', 'fee', -2000n, 0],
    ['alice', 'transfer', -50n, 0],
    ['bob', 'transfer', 50n, 0],
  ])
})

test('a delegation withdraws rewards on its way, and each has its own cause', () => {
  const message = aMessage(MsgDelegateSchema, { delegatorAddress: alice.text, validatorAddress: anAccount('v').operator })
  const events = [
    ...movedCoins(distribution, alice.text, '7utia'),
    anEvent('withdraw_rewards', { amount: '7utia', validator: anAccount('v').operator, delegator: alice.text }),
    anEvent('coin_spent', { spender: alice.text, amount: '100utia' }),
    anEvent('coin_received', { receiver: pool, amount: '100utia' }),
  ]
  assert.deepEqual(linesOf({ txs: [aTx({ from: alice.text, actions: [{ message, events }] })] }).slice(1), [
    ['alice', 'reward', 7n, 0],
    ['alice', 'delegation', -100n, 0],
  ])
})

test('what the distribution module pays is a reward, a commission, or a gift of a proposal', () => {
  const paid = movedCoins(distribution, alice.text, '7utia')
  assert.deepEqual(causesOf([...paid, anEvent('withdraw_commission', { amount: '7utia' })]), ['commission'])
  assert.deepEqual(causesOf([], paid), ['commission'])
  assert.deepEqual(causesOf([], [...paid, votingEnded(1, 'proposal_passed')]), ['community_pool'])
  assert.deepEqual(causesOf(movedCoins(alice.text, distribution, '7utia')), ['community_pool'])
})

test('pools, proposals and bridges are told by their module account', () => {
  assert.deepEqual(causesOf(movedCoins(unbonded, alice.text, '7utia')), ['unbonded'])
  assert.deepEqual(causesOf(movedCoins(alice.text, gov, '7utia')), ['deposit'])
  assert.deepEqual(causesOf(movedCoins(moduleText('warp'), alice.text, '7utia')), ['bridge'])
  const { coins, supply } = deriveBlock(
    aBlock(5, { begin: [...mintedCoins('mint', '9utia'), ...burned(pool, '2utia'), ...burned(gov, '3utia')] }),
  )
  assert.deepEqual(
    coins.map(({ cause, delta }) => [cause, delta]),
    [
      ['mint', 9n],
      ['slash', -2n],
      ['deposit', -3n],
    ],
  )
  assert.deepEqual(
    supply.map(({ cause, delta }) => [cause, delta]),
    [
      ['mint', 9n],
      ['slash', -2n],
      ['deposit', -3n],
    ],
  )
})

test('tokens of another chain and coins in escrow move by ibc', () => {
  const sent = aTransferOut({ denom: 'utia', amount: '40', sender: alice.text, receiver: 'osmo1x' })
  const { coins } = deriveBlock(aBlock(5, { txs: [sent] }))
  assert.deepEqual(
    coins.filter(({ cause }) => cause !== 'fee').map(({ address, cause, delta }) => [address, cause, delta]),
    [
      [alice.hex, 'ibc', -40n],
      [escrow.hex, 'ibc', 40n],
    ],
  )
  assert.deepEqual(causesOf(vouchersMinted(alice.text, 5n)), ['ibc'])
})

test('messages of one tx that move coins for different reasons are told apart, also inside of others', () => {
  const send = aMessage(MsgSendSchema, { fromAddress: alice.text, toAddress: bob.text })
  const vest = aMessage(MsgCreateVestingAccountSchema, { fromAddress: alice.text, toAddress: bob.text })
  const exec = aMessage(MsgExecSchema, { grantee: alice.text, msgs: [vest] })
  const moved = (amount: number) => movedCoins(alice.text, bob.text, `${amount}utia`)
  const tx = aTx({
    from: alice.text,
    actions: [
      { message: send, events: moved(1) },
      { message: vest, events: moved(2) },
      { message: exec, events: moved(3) },
    ],
  })
  assert.deepEqual(
    linesOf({ txs: [tx] }).filter(([name]) => name === 'bob'),
    [
      ['bob', 'transfer', 1n, 0],
      ['bob', 'vesting', 5n, 0],
    ],
  )
})
