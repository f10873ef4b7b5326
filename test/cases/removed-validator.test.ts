import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MsgCancelUnbondingDelegationSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { aBlock, aGenesis, aMessage, anAccount, anEvent, aTx, aValidator, type BuiltTx, moduleText } from '../builders.ts'
import { indexAndReplay } from '../support/built-chain.ts'
import { serveChain } from '../support/served-chain.ts'
import { moneyOf, plain } from './read-rows.ts'
import { aDelegation, anUnbonding, aRedelegation, aSecondBeginning, unbondingDone } from './staking-blocks.ts'

const alice = anAccount('alice')
const [one, two] = [aValidator('one'), aValidator('two')]
/** Two makes a validator again, with its own key. */
const newKey = aValidator('another key').key
const NOT_BONDED = moduleText('not_bonded_tokens_pool')

const genesis = () =>
  aGenesis({
    balances: { [alice.text]: 50_000_000n, [one.text]: 11_000_000n, [two.text]: 20_000_000n },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 5_000_000n },
    ],
  })

function aCancelledUnbonding(amount: bigint, creationHeight: number): BuiltTx {
  const parties = { delegatorAddress: alice.text, validatorAddress: two.operator }
  const message = aMessage(MsgCancelUnbondingDelegationSchema, { ...parties, creationHeight: BigInt(creationHeight) })
  const event = anEvent('cancel_unbonding_delegation', {
    amount: `${amount}utia`,
    validator: two.operator,
    delegator: alice.text,
    creation_height: String(creationHeight),
  })
  // The new validator is not bonded: the tokens stay in their pool.
  return aTx({ from: alice.text, actions: [{ message, events: [event] }] })
}

test('what a removed validator still owes is settled though its operator has made another one', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, two.operator, 4_000_000n)] }),
    aBlock(2, {
      txs: [
        anUnbonding(alice.text, two.operator, 1_000_000n, 2),
        aRedelegation(alice.text, two.operator, one.operator, 500_000n, 2),
      ],
    }),
    // Everybody leaves; nothing is left of the validator but what it owes.
    aBlock(3, {
      txs: [anUnbonding(alice.text, two.operator, 2_500_000n, 3), anUnbonding(two.text, two.operator, 5_000_000n, 3)],
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
    aBlock(4, { txs: [aSecondBeginning(two, newKey)] }),
    aBlock(5, { txs: [aCancelledUnbonding(300_000n, 3)] }),
    ...[6, 7, 8, 9, 10, 11].map((height) => aBlock(height)),
    aBlock(12, {
      end: [
        ...unbondingDone(alice.text, two.operator, 1_000_000n),
        anEvent('complete_redelegation', {
          amount: '500000utia',
          delegator: alice.text,
          source_validator: two.operator,
          destination_validator: one.operator,
        }),
      ],
    }),
    aBlock(13, {
      end: [...unbondingDone(alice.text, two.operator, 2_200_000n), ...unbondingDone(two.text, two.operator, 5_000_000n)],
    }),
  ])
  t.after(() => chain.close())
  assert.equal((await chain.sql`select 1 from undelegation`).length, 0)
  assert.equal((await chain.sql`select 1 from redelegation`).length, 0)
  assert.deepEqual(await moneyOf(chain.sql, alice), {
    spendable: String(50_000_000 - 4_000_000 + 3_200_000 - 5 * 2000),
    delegated: '800000',
    unbonding: '0',
  })
  const rows =
    await chain.sql`select moniker, stake, bonded from validator where operator = ${Buffer.from(two.hex, 'hex')} order by id`
  assert.deepEqual(plain(rows), [
    { moniker: 'two', stake: '0', bonded: false },
    { moniker: 'two again', stake: '3300000', bonded: false },
  ])
  const api = await serveChain(chain.url)
  t.after(() => api.close())
  const found = await api.list(`/search?query=${two.operator}`)
  assert.deepEqual(
    found.map(({ type, result }) => [type, (result as { moniker?: string }).moniker]),
    [
      ['validator', 'two again'],
      ['address', undefined],
    ],
  )
})

test('an exported chain may owe for a validator that is gone', async (t) => {
  const document = genesis()
  const state = document.app_state as Record<string, Record<string, unknown>>
  const gone = aValidator('gone')
  state.staking!.unbonding_delegations = [
    {
      delegator_address: alice.text,
      validator_address: gone.operator,
      entries: [{ creation_height: '0', completion_time: '2026-01-01T00:00:12Z', initial_balance: '700', balance: '700' }],
    },
  ]
  const bank = state.bank as { balances: unknown[]; supply: { amount: string }[] }
  bank.balances.push({ address: NOT_BONDED, coins: [{ denom: 'utia', amount: '700' }] })
  bank.supply[0]!.amount = String(BigInt(bank.supply[0]!.amount) + 700n)
  const chain = await indexAndReplay(document, [aBlock(1), aBlock(2, { end: unbondingDone(alice.text, gone.operator, 700n) })])
  t.after(() => chain.close())
  assert.deepEqual(await moneyOf(chain.sql, alice), { spendable: '50000700', delegated: '0', unbonding: '0' })
})
