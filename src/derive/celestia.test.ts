import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import {
  type Action,
  aBlock,
  aMessage,
  anAccount,
  anEvent,
  aTx,
  aTypedEvent,
  aValidator,
  type TxSpec,
} from '../../test/builders.ts'
import { MsgPayForFibreSchema } from '../decode/gen/celestia/fibre/v1/types_pb.ts'
import { MsgForwardSchema } from '../decode/gen/celestia/forwarding/v1/types_pb.ts'
import { MsgSignalVersionSchema, MsgTryUpgradeSchema } from '../decode/gen/celestia/signal/v1/types_pb.ts'
import { MsgSetFibreProviderInfoSchema } from '../decode/gen/celestia/valaddr/v1/types_pb.ts'
import { MsgSubmitMessagesSchema } from '../decode/gen/celestia/zkism/v1/types_pb.ts'
import { MsgProcessMessageSchema, MsgSetMailboxSchema } from '../decode/gen/hyperlane/core/v1/types_pb.ts'
import { MsgRemoteTransferSchema } from '../decode/gen/hyperlane/warp/v1/types_pb.ts'
import { secp256k1Account } from '../lib/encoding/bech32.ts'
import { toHex } from '../lib/encoding/bytes.ts'
import { addressRoleId } from '../types/address-role.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import { deriveBlock } from './block.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const validator = aValidator('val')

function derive(actions: Action[], spec: Partial<TxSpec> = {}): BlockFacts {
  return deriveBlock(aBlock(9, { txs: [aTx({ from: alice.text, actions, ...spec })] }))
}

const origin = { tx: 0, message: 0 }
const id = (digit: string) => digit.repeat(64)
const hl = (digit: string) => `0x${id(digit)}`

/** version, nonce, origin, sender, destination, recipient, body */
function hyperlaneMessage(nonce: number, from: number, sender: string, to: number, recipient: string, body: string): string {
  const word = (value: number) => value.toString(16).padStart(8, '0')
  return `0x03${word(nonce)}${word(from)}${id(sender)}${word(to)}${id(recipient)}${body}`
}

const remote = `0x${'0'.repeat(24)}742d35cc6634c0532925a3b844bc9e7595f00001`
const sent = (amount: string, domain = 5) =>
  aTypedEvent('hyperlane.warp.v1.EventSendRemoteTransfer', {
    token_id: hl('a'),
    sender: alice.text,
    destination_domain: domain,
    recipient: remote,
    amount,
  })
const dispatched = (nonce: number, domain = 5) =>
  aTypedEvent('hyperlane.core.v1.EventDispatch', {
    origin_mailbox_id: hl('b'),
    sender: hl('a'),
    destination: domain,
    recipient: hl('c'),
    message: hyperlaneMessage(nonce, 1, 'a', domain, 'c', 'beef'),
  })

test('a transfer out joins the warp event with the message that was dispatched', () => {
  const { effects } = derive([
    { message: aMessage(MsgRemoteTransferSchema, { sender: alice.text }), events: [sent('250utia'), dispatched(7)] },
  ])
  const message = Buffer.from(hyperlaneMessage(7, 1, 'a', 5, 'c', 'beef').slice(2), 'hex')
  assert.deepEqual(effects, [
    {
      kind: 'hl-transfer',
      direction: 'send',
      token: id('a'),
      domain: 5,
      counterparty: '742d35cc6634c0532925a3b844bc9e7595f00001',
      address: alice.hex,
      relayer: null,
      metadata: new Uint8Array(0),
      denom: 'utia',
      amount: 250n,
      mailbox: id('b'),
      version: 3,
      nonce: 7,
      body: Buffer.from('beef', 'hex'),
      messageId: toHex(keccak_256(message)),
      ...origin,
    },
  ])
})

test('several transfers in one message find their own dispatches', () => {
  const events = [sent('1utia'), dispatched(7), sent('2utia'), dispatched(8), sent('3utia', 6), dispatched(9, 6)]
  const { effects } = derive([{ message: aMessage(MsgRemoteTransferSchema, { sender: alice.text }), events }])
  assert.deepEqual(
    effects.map((effect) => effect.kind === 'hl-transfer' && [effect.amount, effect.nonce, effect.domain]),
    [
      [1n, 7, 5],
      [2n, 8, 5],
      [3n, 9, 6],
    ],
  )
})

test('an empty amount is zero', () => {
  const [effect] = derive([
    { message: aMessage(MsgRemoteTransferSchema, { sender: alice.text }), events: [sent(''), dispatched(7)] },
  ]).effects
  assert.equal(effect!.kind === 'hl-transfer' && effect.amount, 0n)
})

test('a transfer in tells who delivered it and with which metadata', () => {
  const events = [
    aTypedEvent('hyperlane.warp.v1.EventReceiveRemoteTransfer', {
      token_id: hl('a'),
      sender: remote,
      origin_domain: 5,
      recipient: bob.text,
      amount: '9utia',
    }),
    aTypedEvent('hyperlane.core.v1.EventProcess', {
      origin_mailbox_id: hl('b'),
      origin: 5,
      sender: remote,
      recipient: hl('a'),
      message_id: hl('d'),
      message: hyperlaneMessage(2, 5, 'e', 1, 'a', '00ff'),
    }),
  ]
  const message = aMessage(MsgProcessMessageSchema, {
    mailboxId: hl('b'),
    relayer: alice.text,
    metadata: '0xc0ffee',
    message: '0x',
  })
  const [effect] = derive([{ message, events }]).effects
  assert.deepEqual(
    effect!.kind === 'hl-transfer' && [
      effect.direction,
      effect.address,
      effect.relayer,
      toHex(effect.metadata),
      effect.messageId,
      effect.nonce,
      toHex(effect.body),
    ],
    ['receive', bob.hex, alice.hex, 'c0ffee', id('d'), 2, '00ff'],
  )
})

test('mailboxes, tokens and paymasters keep what an update leaves out', () => {
  const events = [
    aTypedEvent('hyperlane.core.v1.EventCreateMailbox', {
      mailbox_id: hl('b'),
      owner: alice.text,
      default_ism: hl('1'),
      default_hook: null,
      required_hook: null,
      local_domain: 69420,
    }),
    aTypedEvent('hyperlane.core.v1.EventSetMailbox', {
      mailbox_id: hl('b'),
      owner: alice.text,
      default_ism: null,
      default_hook: hl('2'),
      new_owner: '',
      renounce_ownership: false,
    }),
    aTypedEvent('hyperlane.warp.v1.EventCreateSyntheticToken', {
      token_id: hl('a'),
      owner: alice.text,
      origin_mailbox: hl('b'),
      origin_denom: 'hyperlane/x',
    }),
    aTypedEvent('hyperlane.warp.v1.EventSetToken', {
      token_id: hl('a'),
      owner: alice.text,
      ism_id: null,
      new_owner: bob.text,
      renounce_ownership: false,
    }),
    aTypedEvent('hyperlane.warp.v1.EventSetToken', {
      token_id: hl('a'),
      owner: bob.text,
      ism_id: null,
      new_owner: '',
      renounce_ownership: true,
    }),
    aTypedEvent('hyperlane.core.post_dispatch.v1.EventCreateIgp', { igp_id: hl('f'), owner: alice.text, denom: 'utia' }),
    aTypedEvent('hyperlane.core.post_dispatch.v1.EventSetDestinationGasConfig', {
      igp_id: hl('f'),
      owner: alice.text,
      remote_domain: 5,
      gas_overhead: '100',
      gas_price: '2',
      token_exchange_rate: '10000000000',
    }),
    aTypedEvent('hyperlane.core.post_dispatch.v1.EventGasPayment', {
      message_id: hl('d'),
      destination: 5,
      gas_amount: '150',
      payment: '15utia',
      igp_id: hl('f'),
    }),
  ]
  const { effects } = derive([{ message: aMessage(MsgSetMailboxSchema, { owner: alice.text }), events }])
  assert.deepEqual(
    effects.map(({ tx, message, ...effect }: Record<string, unknown>) => effect),
    [
      {
        kind: 'hl-mailbox',
        mailbox: id('b'),
        owner: alice.hex,
        defaultIsm: id('1'),
        defaultHook: null,
        requiredHook: null,
        localDomain: 69420,
      },
      { kind: 'hl-mailbox-set', mailbox: id('b'), defaultHook: id('2') },
      { kind: 'hl-token', token: id('a'), type: 'synthetic', mailbox: id('b'), denom: 'hyperlane/x', owner: alice.hex },
      { kind: 'hl-token-set', token: id('a'), owner: bob.hex },
      { kind: 'hl-token-set', token: id('a'), owner: null },
      { kind: 'hl-igp', igp: id('f'), owner: alice.hex, denom: 'utia' },
      { kind: 'hl-igp-config', igp: id('f'), remoteDomain: 5, gasOverhead: 100n, gasPrice: 2n, tokenExchangeRate: '10000000000' },
      { kind: 'hl-gas-payment', igp: id('f'), messageId: id('d'), destination: 5, gasAmount: 150n, denom: 'utia', amount: 15n },
    ],
  )
})

test('the required hook of a mailbox is read from the message: its event leaves it out', () => {
  const message = aMessage(MsgSetMailboxSchema, {
    owner: alice.text,
    mailboxId: hl('b'),
    defaultHook: hl('2'),
    requiredHook: hl('3').toUpperCase().replace('0X', '0x'),
  })
  const event = aTypedEvent('hyperlane.core.v1.EventSetMailbox', { mailbox_id: hl('b'), default_hook: hl('2'), new_owner: '' })
  assert.deepEqual(derive([{ message, events: [event] }]).effects, [
    { kind: 'hl-mailbox-set', mailbox: id('b'), requiredHook: id('3'), ...origin },
    { kind: 'hl-mailbox-set', mailbox: id('b'), defaultHook: id('2'), ...origin },
  ])
  assert.deepEqual(derive([{ message }], { code: 5 }).effects, [])
})

const forward = aMessage(MsgForwardSchema, { signer: alice.text, forwardAddr: bob.text, destDomain: 5, destRecipient: remote })

test('a forwarding tells what went where and includes the remote transfer', () => {
  const forwarded = aTypedEvent('celestia.forwarding.v1.EventTokenForwarded', {
    forward_addr: bob.text,
    token_id: hl('a'),
    denom: 'utia',
    amount: '88',
    message_id: hl('d'),
  })
  const { effects, messages } = derive([{ message: forward, events: [sent('88utia'), dispatched(3), forwarded] }])
  assert.deepEqual(
    effects.map(({ kind }) => kind),
    ['forwarding-address', 'hl-transfer', 'forwarding'],
  )
  assert.deepEqual(effects[2], {
    kind: 'forwarding',
    address: bob.hex,
    destDomain: 5,
    destRecipient: remote.slice(2),
    token: id('a'),
    amount: 88n,
    denom: 'utia',
    messageId: id('d'),
    ...origin,
  })
  assert.deepEqual(messages[0]!.links, [
    [alice.hex, addressRoleId('signer')],
    [bob.hex, addressRoleId('receiver')],
  ])
})

test('before app 8 a forwarding names no token: only the account is marked', () => {
  const forwarded = aTypedEvent('celestia.forwarding.v1.EventTokenForwarded', {
    forward_addr: bob.text,
    denom: 'utia',
    amount: '88',
    message_id: hl('d'),
  })
  assert.deepEqual(derive([{ message: forward, events: [forwarded] }]).effects, [
    { kind: 'forwarding-address', address: bob.hex, ...origin },
  ])
})

test('security modules read bytes as hex or base64', () => {
  const root = Buffer.alloc(32, 9)
  const events = [
    aTypedEvent('celestia.zkism.v1.EventCreateInterchainSecurityModule', {
      id: hl('a'),
      owner: alice.text,
      state: root.toString('base64'),
      merkle_tree_address: hl('1'),
      groth16_vkey: '0xab',
      state_transition_vkey: 'cd',
      state_membership_vkey: '',
    }),
    aTypedEvent('celestia.zkism.v1.EventUpdateInterchainSecurityModule', { id: hl('a'), state: '0xff' }),
    aTypedEvent('celestia.zkism.v1.EventSubmitMessages', {
      id: hl('a'),
      state_root: root.toString('base64'),
      messages: [hl('2'), hl('3')],
    }),
  ]
  const { effects } = derive([{ message: aMessage(MsgSubmitMessagesSchema, { signer: alice.text }), events }])
  assert.deepEqual(effects, [
    {
      kind: 'zkism',
      ism: id('a'),
      creator: alice.hex,
      state: '09'.repeat(32),
      merkleTreeAddress: id('1'),
      groth16Vkey: 'ab',
      stateTransitionVkey: 'cd',
      stateMembershipVkey: '',
      ...origin,
    },
    { kind: 'zkism-update', ism: id('a'), signer: alice.hex, state: 'ff', ...origin },
    {
      kind: 'zkism-messages',
      ism: id('a'),
      signer: alice.hex,
      stateRoot: '09'.repeat(32),
      messageIds: [id('2'), id('3')],
      ...origin,
    },
  ])
})

test('messages that were proven belong to the module their message names when the event names none', () => {
  const message = aMessage(MsgSubmitMessagesSchema, { signer: alice.text, id: hl('a') })
  const ismsOf = (named: Record<string, string>) =>
    derive([
      {
        message,
        events: [aTypedEvent('celestia.zkism.v1.EventSubmitMessages', { ...named, state_root: '0x01', messages: [hl('2')] })],
      },
    ]).effects.map((effect) => effect.kind === 'zkism-messages' && effect.ism)
  assert.deepEqual(ismsOf({}), [id('a')])
  assert.deepEqual(ismsOf({ id: hl('0') }), [id('a')])
  assert.deepEqual(ismsOf({ id: hl('c') }), [id('c')])
})

test('signals and upgrade attempts are told once, though their events carry an action too', () => {
  const signalled = anEvent('signal_version', {
    validator_address: validator.operator,
    action: '/celestia.signal.v1.Msg/SignalVersion',
  })
  const { effects } = derive(
    [
      { message: aMessage(MsgSignalVersionSchema, { validatorAddress: validator.operator, version: 10n }), events: [signalled] },
      {
        message: aMessage(MsgTryUpgradeSchema, { signer: alice.text }),
        events: [anEvent('signal_try_upgrade', { action: '/celestia.signal.v1.Msg/TryUpgrade' })],
      },
    ],
    { sdk: '0.46' },
  )
  assert.deepEqual(effects, [
    { kind: 'signal', operator: validator.hex, version: 10, ...origin },
    { kind: 'try-upgrade', signer: alice.hex, tx: 0, message: 1 },
  ])
})

test('fibre messages have no name yet, but link their signer and the payer of the promise', () => {
  const key = new Uint8Array(33).fill(2)
  const pay = aMessage(MsgPayForFibreSchema, { signer: alice.text, paymentPromise: { signerPublicKey: { key } } })
  const info = aMessage(MsgSetFibreProviderInfoSchema, { signer: validator.operator, host: 'h' })
  const { messages, unknownMessages } = derive([{ message: pay }, { message: info }])
  assert.deepEqual(
    messages.map(({ type, links, validators }) => ({ type, links, validators })),
    [
      {
        type: 0,
        links: [
          [alice.hex, addressRoleId('signer')],
          [secp256k1Account(key), addressRoleId('sender')],
        ],
        validators: [],
      },
      { type: 0, links: [[validator.hex, addressRoleId('validator')]], validators: [validator.hex] },
    ],
  )
  assert.deepEqual(unknownMessages, [])
})
