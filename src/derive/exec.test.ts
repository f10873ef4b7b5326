import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Any } from '@bufbuild/protobuf/wkt'
import { aBlock, aMessage, anAccount, anAny, anEvent, aTx, aValidator, type TxSpec } from '../../test/builders.ts'
import { MsgSignalVersionSchema } from '../decode/gen/celestia/signal/v1/types_pb.ts'
import { MsgExecSchema } from '../decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgSendSchema } from '../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgBeginRedelegateSchema } from '../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { addressRoleId } from '../types/address-role.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { ChainEvent } from '../types/chain.ts'
import { deriveBlock } from './block.ts'

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(anAccount) as [Account, Account, Account]
type Account = ReturnType<typeof anAccount>
const [one, two] = [aValidator('one'), aValidator('two')]

function derive(msgs: Any[], events: ChainEvent[] = [], spec: Partial<TxSpec> = {}): BlockFacts {
  return deriveBlock(
    aBlock(9, {
      txs: [
        aTx({ from: bob.text, actions: [{ message: aMessage(MsgExecSchema, { grantee: bob.text, msgs }), events }], ...spec }),
      ],
    }),
  )
}

const redelegate = (delegator: string) =>
  anAny(MsgBeginRedelegateSchema, {
    delegatorAddress: delegator,
    validatorSrcAddress: one.operator,
    validatorDstAddress: two.operator,
  })

test('inner messages link their addresses and validators to the outer message', () => {
  const { messages } = derive([redelegate(alice.text), anAny(MsgSendSchema, { fromAddress: carol.text, toAddress: bob.text })])
  assert.equal(messages.length, 1)
  assert.deepEqual(messages[0]!.links, [
    [bob.hex, addressRoleId('grantee')],
    [alice.hex, addressRoleId('delegator')],
    [one.hex, addressRoleId('validatorSrc')],
    [two.hex, addressRoleId('validatorDst')],
    [carol.hex, addressRoleId('fromAddress')],
    [bob.hex, addressRoleId('toAddress')],
  ])
  assert.deepEqual(messages[0]!.validators, [one.hex, two.hex])
})

test('each inner message acts for its own granter', () => {
  const moved = (index: number) =>
    anEvent('redelegate', {
      source_validator: one.operator,
      destination_validator: two.operator,
      amount: `${index}utia`,
      authz_msg_index: String(index),
    })
  const { effects } = derive([redelegate(alice.text), redelegate(carol.text)], [moved(0), moved(1)])
  assert.deepEqual(
    effects.map((effect) => effect.kind === 'redelegate' && [effect.delegator, effect.amount, effect.message]),
    [
      [alice.hex, 0n, 0],
      [carol.hex, 1n, 0],
    ],
  )
})

test('a message two levels down has its full effect', () => {
  const inner = anAny(MsgExecSchema, {
    grantee: carol.text,
    msgs: [anAny(MsgSignalVersionSchema, { validatorAddress: one.operator, version: 10n })],
  })
  const { effects } = derive([inner])
  assert.deepEqual(effects, [{ kind: 'signal', operator: one.hex, version: 10, tx: 0, message: 0 }])
})

test('inner messages of a failed tx are linked and have no effect', () => {
  const { effects, messages } = derive([anAny(MsgSignalVersionSchema, { validatorAddress: one.operator, version: 10n })], [], {
    code: 1,
  })
  assert.deepEqual(effects, [])
  assert.deepEqual(messages[0]!.validators, [one.hex])
})

test('an unknown inner message is counted and leaves the others alone', () => {
  const unknown: Any = { $typeName: 'google.protobuf.Any', typeUrl: '/new.v1.Msg', value: Uint8Array.of(1) }
  const { effects, unknownMessages, txs } = derive([
    unknown,
    anAny(MsgSignalVersionSchema, { validatorAddress: one.operator, version: 9n }),
  ])
  assert.deepEqual(unknownMessages, [{ typeUrl: '/new.v1.Msg', count: 1 }])
  assert.equal(effects.length, 1)
  assert.deepEqual(txs[0]!.signers, [bob.hex])
})

test('nesting is read down to 16 levels and no deeper', () => {
  const nest = (levels: number): Any => {
    let message = anAny(MsgSignalVersionSchema, { validatorAddress: one.operator, version: 1n })
    for (let i = 0; i < levels; i++) message = anAny(MsgExecSchema, { grantee: alice.text, msgs: [message] })
    return message
  }
  assert.equal(derive([nest(15)]).effects.length, 1)
  assert.equal(derive([nest(16)]).effects.length, 0)
  assert.equal(derive([nest(5000)]).messages.length, 1)
})

test('a tx with very many inner messages is read up to a limit', () => {
  const send = anAny(MsgSendSchema, { fromAddress: alice.text, toAddress: bob.text })
  const wide = anAny(MsgExecSchema, { grantee: alice.text, msgs: Array(6000).fill(send) })
  const facts = derive([wide, wide, wide])
  assert.equal(facts.messages[0]!.links.length, 4)
})
