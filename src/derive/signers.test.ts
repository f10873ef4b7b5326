import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlock, aMessage, anAccount, anAny, aSend, aTx, aValidator, type TxSpec } from '../../test/builders.ts'
import { MsgMultiSendSchema } from '../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { LegacyAminoPubKeySchema } from '../decode/gen/cosmos/crypto/multisig/types_pb.ts'
import { PubKeySchema } from '../decode/gen/cosmos/crypto/secp256k1/types_pb.ts'
import { MsgUnjailSchema } from '../decode/gen/cosmos/slashing/v1beta1/types_pb.ts'
import { multisigAccount, secp256k1Account } from '../lib/encoding/bech32.ts'
import { deriveBlock } from './block.ts'

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(anAccount) as [Account, Account, Account]
type Account = ReturnType<typeof anAccount>
const unknown = { typeUrl: '/new.v1.Msg', value: new Uint8Array(0) }
const key = (byte: number) => new Uint8Array(33).fill(byte)

function signersOf(spec: TxSpec): string[] {
  return deriveBlock(aBlock(5, { txs: [aTx(spec)] })).txs[0]!.signers
}

test('every input of a multi-send signs', () => {
  const message = aMessage(MsgMultiSendSchema, {
    inputs: [{ address: bob.text }, { address: alice.text }, { address: bob.text }],
    outputs: [{ address: carol.text }],
  })
  assert.deepEqual(signersOf({ from: bob.text, actions: [{ message }] }), [bob.hex, alice.hex])
})

test('an operator signs as the account with the same bytes', () => {
  const validator = aValidator('val')
  assert.deepEqual(
    signersOf({ from: validator.text, actions: [{ message: aMessage(MsgUnjailSchema, { validatorAddr: validator.operator }) }] }),
    [validator.hex],
  )
})

test('a fee payer signs last and is named when another account signs first', () => {
  const { txs } = deriveBlock(
    aBlock(5, {
      txs: [aSend(alice.text, bob.text, 1n, { payer: carol.text }), aSend(alice.text, bob.text, 1n, { payer: alice.text })],
    }),
  )
  assert.deepEqual(txs[0]!.signers, [alice.hex, carol.hex])
  assert.equal(txs[0]!.feePayer, carol.hex)
  assert.deepEqual(txs[1]!.signers, [alice.hex])
  assert.equal(txs[1]!.feePayer, undefined)
})

test('for an unknown message the list of the node stands in', () => {
  assert.deepEqual(signersOf({ from: alice.text, actions: [{ message: unknown }], signers: [bob.text, carol.text] }), [
    bob.hex,
    carol.hex,
  ])
})

test('without that list the public keys tell the accounts', () => {
  const publicKeys = [anAny(PubKeySchema, { key: key(2) })]
  assert.deepEqual(signersOf({ from: alice.text, actions: [{ message: unknown }], publicKeys }), [secp256k1Account(key(2))])
})

test('a multisig key is one signer, not its members', () => {
  const members = [2, 3].map((byte) => anAny(PubKeySchema, { key: key(byte) }))
  const publicKeys = [anAny(LegacyAminoPubKeySchema, { threshold: 2, publicKeys: members })]
  const account = multisigAccount(
    2,
    [2, 3].map((byte) => ({ kind: 'secp256k1', key: key(byte) })),
  )
  assert.deepEqual(signersOf({ from: alice.text, actions: [{ message: unknown }], publicKeys }), [account])
})

test('without keys the sequence events tell the accounts', () => {
  assert.deepEqual(signersOf({ from: alice.text, actions: [{ message: unknown }] }), [alice.hex])
})
