import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Action, aBlock, aGenesis, aMessage, anAccount, aTx, aTypedEvent } from '../../../../test/builders.ts'
import { indexBlocks } from '../../../../test/support/built-chain.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'
import { SCHEMA } from '../../../../test/support/templates.ts'
import { openWriterSql } from '../../../../test/support/writer-sql.ts'
import { MsgSubmitMessagesSchema } from '../../../decode/gen/celestia/zkism/v1/types_pb.ts'
import { MsgCreateMailboxSchema, MsgProcessMessageSchema } from '../../../decode/gen/hyperlane/core/v1/types_pb.ts'
import { MsgRemoteTransferSchema } from '../../../decode/gen/hyperlane/warp/v1/types_pb.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const STRANGER = anAccount('stranger').text
const id = (digit: string) => digit.repeat(64)
const hl = (digit: string) => `0x${id(digit)}`
const MAILBOX = '68797065726c616e650000000000000000000000000000000000000000000007'
const DOMAIN = 42_161
const remote = `0x${'0'.repeat(24)}742d35cc6634c0532925a3b844bc9e7595f00001`

const word = (value: number) => value.toString(16).padStart(8, '0')
const wire = (nonce: number) => `0x03${word(nonce)}${word(1)}${id('a')}${word(DOMAIN)}${id('c')}beef`

const create: Action = {
  message: aMessage(MsgCreateMailboxSchema, { owner: alice.text }),
  events: [
    aTypedEvent('hyperlane.core.v1.EventCreateMailbox', {
      mailbox_id: `0x${MAILBOX}`,
      owner: alice.text,
      default_ism: hl('1'),
      default_hook: null,
      required_hook: null,
      local_domain: 69_420,
    }),
    ...['a', 'e'].map((token) =>
      aTypedEvent(`hyperlane.warp.v1.EventCreate${token === 'a' ? 'Collateral' : 'Synthetic'}Token`, {
        token_id: hl(token),
        owner: token === 'a' ? alice.text : bob.text,
        origin_mailbox: `0x${MAILBOX}`,
        origin_denom: 'utia',
      }),
    ),
    aTypedEvent('hyperlane.core.post_dispatch.v1.EventCreateIgp', { igp_id: hl('f'), owner: alice.text, denom: 'utia' }),
    ...[DOMAIN, 10].map((remote_domain) =>
      aTypedEvent('hyperlane.core.post_dispatch.v1.EventSetDestinationGasConfig', {
        igp_id: hl('f'),
        owner: alice.text,
        remote_domain,
        gas_overhead: '100000',
        gas_price: '1',
        token_exchange_rate: '10000000000',
      }),
    ),
  ],
}

const send: Action = {
  message: aMessage(MsgRemoteTransferSchema, { sender: alice.text }),
  events: [
    aTypedEvent('hyperlane.core.v1.EventDispatch', {
      origin_mailbox_id: `0x${MAILBOX}`,
      sender: hl('a'),
      destination: DOMAIN,
      recipient: hl('c'),
      message: wire(7),
    }),
    aTypedEvent('hyperlane.warp.v1.EventSendRemoteTransfer', {
      token_id: hl('a'),
      sender: alice.text,
      destination_domain: DOMAIN,
      recipient: remote,
      amount: '250utia',
    }),
  ],
}

const receive: Action = {
  message: aMessage(MsgProcessMessageSchema, {
    mailboxId: `0x${MAILBOX}`,
    relayer: alice.text,
    metadata: '0xc0ffee',
    message: '0x',
  }),
  events: [
    aTypedEvent('hyperlane.warp.v1.EventReceiveRemoteTransfer', {
      token_id: hl('a'),
      sender: remote,
      origin_domain: 10,
      recipient: bob.text,
      amount: '9utia',
    }),
    aTypedEvent('hyperlane.core.v1.EventProcess', {
      origin_mailbox_id: `0x${MAILBOX}`,
      origin: 10,
      sender: remote,
      recipient: hl('a'),
      message_id: hl('d'),
      message: wire(2),
    }),
  ],
}

const ism = (events: [name: string, attributes: Record<string, unknown>][]): Action => ({
  message: aMessage(MsgSubmitMessagesSchema, { signer: bob.text }),
  events: events.map(([name, attributes]) => aTypedEvent(`celestia.zkism.v1.Event${name}`, { id: hl('9'), ...attributes })),
})
const createIsm = ism([
  [
    'CreateInterchainSecurityModule',
    {
      owner: bob.text,
      state: '0x01',
      merkle_tree_address: hl('1'),
      groth16_vkey: '0xab',
      state_transition_vkey: '0xcd',
      state_membership_vkey: '',
    },
  ],
])
const updateIsm = ism([['UpdateInterchainSecurityModule', { state: '0xff' }]])
const submitMessages = ism([['SubmitMessages', { state_root: hl('5'), messages: [hl('2'), hl('3')] }]])

const tx = (from: { text: string }, ...actions: Action[]) => aTx({ from: from.text, actions })

describe('Hyperlane', () => {
  let api: ServedChain
  before(async () => {
    const { url, close } = await indexBlocks(aGenesis({ balances: { [alice.text]: 1_000_000n, [bob.text]: 1_000_000n } }), [
      aBlock(1, { txs: [tx(alice, create)] }),
      aBlock(2, { txs: [tx(alice, send)] }),
      aBlock(3, { txs: [tx(alice, receive), tx(bob, createIsm)] }),
      aBlock(4, { txs: [tx(bob, updateIsm)] }),
      aBlock(5, { txs: [tx(bob, submitMessages)] }),
    ])
    await close()
    const sql = openWriterSql(url, SCHEMA)
    const chain = { name: 'Arbitrum One', native_token: { decimals: 18, name: 'Ether', symbol: 'ETH' } }
    await sql`insert into registry (name, document, updated_at) values ('hyperlane', ${JSON.stringify({ [DOMAIN]: chain })}::jsonb, now())`
    await sql.end()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('a mailbox carries the number inside its id and what was sent through it', async () => {
    const [mailbox] = await api.list('/hyperlane/mailbox')
    assert.deepEqual(
      [mailbox!.id, mailbox!.hyperlane_id, mailbox!.domain, mailbox!.sent_messages, mailbox!.received_messages],
      [1, 7, 69_420, 1, 1],
    )
    assert.ok(!('default_hook' in mailbox!))
    assert.deepEqual((await api.get(`/hyperlane/mailbox/0x${MAILBOX.toUpperCase()}`)).body, mailbox)
    assert.equal((await api.get(`/hyperlane/mailbox/${id('0')}`)).status, 204)
    assert.equal((await api.get('/hyperlane/mailbox/xyz')).status, 400)
  })

  test('tokens are newest first, and an unknown owner or mailbox is refused', async () => {
    const tokens = await api.list('/hyperlane/token')
    assert.deepEqual(
      tokens.map((row) => [row.token_id, row.type, row.sent, row.received]),
      [
        [id('e'), 'synthetic', '0', '0'],
        [id('a'), 'collateral', '250', '9'],
      ],
    )
    assert.deepEqual(await api.list('/hyperlane/token?sort=asc'), tokens.toReversed())
    assert.deepEqual(await api.list(`/hyperlane/token?owner=${bob.text}&mailbox=${MAILBOX}`), tokens.slice(0, 1))
    assert.deepEqual(await api.list('/hyperlane/token?type=collateral'), tokens.slice(1))
    assert.deepEqual((await api.get(`/hyperlane/token/${id('a')}`)).body, tokens[1])
    assert.equal((await api.get(`/hyperlane/token?owner=${STRANGER}`)).status, 400)
    assert.equal((await api.get(`/hyperlane/token?mailbox=${id('0')}`)).status, 400)
  })

  test('the amount of a transfer is called received in both directions', async () => {
    const [received, sent] = await api.list('/hyperlane/transfer')
    assert.deepEqual(
      [sent!.type, sent!.received, sent!.nonce, sent!.body, sent!.address],
      ['send', '250', 7, Buffer.from('beef', 'hex').toString('base64'), { hash: alice.text }],
    )
    assert.ok(!('relayer' in sent!) && !('metadata' in sent!) && !('gas_payment' in sent!))
    assert.deepEqual(sent!.counterparty, {
      hash: '742d35cc6634c0532925a3b844bc9e7595f00001',
      domain: DOMAIN,
      chain_metadata: { name: 'Arbitrum One', native_token: { decimals: 18, name: 'Ether', symbol: 'ETH' } },
    })
    assert.deepEqual(
      [received!.type, received!.received, received!.address, received!.relayer, received!.metadata],
      ['receive', '9', { hash: bob.text }, { hash: alice.text }, Buffer.from('c0ffee', 'hex').toString('base64')],
    )
    assert.deepEqual((received!.counterparty as { chain_metadata: object }).chain_metadata, {
      name: '10',
      native_token: { decimals: 0, name: '', symbol: '' },
    })
    assert.deepEqual((await api.get(`/hyperlane/transfer/${sent!.id}`)).body, sent)
    // Clients of the reference service number transfers from 1.
    assert.deepEqual((await api.get('/hyperlane/transfer/1')).body, sent)
    assert.deepEqual((await api.get('/hyperlane/transfer/2')).body, received)
    assert.equal((await api.get('/hyperlane/transfer/3')).status, 204)
    assert.deepEqual(await api.list(`/hyperlane/transfer?address=${alice.text}`), [sent])
    assert.deepEqual(await api.list(`/hyperlane/transfer?relayer=${alice.text}&type=receive&domain=10`), [received])
    assert.deepEqual(await api.list(`/hyperlane/transfer?mailbox=${MAILBOX}&token=${id('a')}&cursor=${received!.id}`), [sent])
    assert.deepEqual(await api.list(`/hyperlane/transfer?hash=${sent!.tx_hash}`), [sent])
    assert.deepEqual(await api.list(`/hyperlane/transfer?address=${STRANGER}`), [])
  })

  test('a paymaster lists its domains; a chain that the registry does not know is called by its number', async () => {
    const [igp] = await api.list('/hyperlane/igp')
    const configs = igp!.configs as { counterparty: { remote_domain: number; chain_metadata: { name: string } } }[]
    assert.deepEqual(
      configs.map(({ counterparty }) => [counterparty.remote_domain, counterparty.chain_metadata.name]),
      [
        [10, '10'],
        [DOMAIN, 'Arbitrum One'],
      ],
    )
    assert.deepEqual((await api.get(`/hyperlane/igp/${id('f')}`)).body, igp)
    assert.deepEqual((await api.get('/hyperlane/domains')).body, {
      [DOMAIN]: {
        domain: DOMAIN,
        name: 'Arbitrum One',
        block_explorers: [],
        native_token: { decimals: 18, name: 'Ether', symbol: 'ETH' },
      },
    })
  })

  test('a security module shows its present state, its updates the way there', async () => {
    const [module] = await api.list('/hyperlane/zkism')
    assert.deepEqual(
      [module!.external_id, module!.state, module!.groth16_vkey, module!.creator],
      [id('9'), 'ff', 'ab', { hash: bob.text }],
    )
    assert.ok(!('state_membership_vkey' in module!))
    assert.deepEqual((await api.get(`/hyperlane/zkism/${module!.id}`)).body, module)
    const [update] = await api.list(`/hyperlane/zkism/${module!.id}/updates`)
    assert.deepEqual([update!.height, update!.new_state, update!.signer], [4, 'ff', { hash: bob.text }])
    const messages = await api.list(`/hyperlane/zkism/${module!.id}/messages?sort=asc`)
    assert.deepEqual(
      messages.map((row) => [row.message_id, row.state_root]),
      [
        [id('2'), id('5')],
        [id('3'), id('5')],
      ],
    )
    const path = `/hyperlane/zkism/${module!.id}/messages`
    assert.deepEqual(await api.list(`${path}?sort=asc&cursor=${messages[0]!.id}`), messages.slice(1))
    assert.deepEqual(await api.list(`${path}?sort=asc&tx_hash=${messages[0]!.tx_hash}&address=${bob.text}`), messages)
    assert.deepEqual(await api.list(`${path}?address=${alice.text}`), [])
    const from = Date.parse(String(messages[0]!.time)) / 1000
    assert.deepEqual(await api.list(`${path}?sort=asc&from=${from}&to=${from + 1}`), messages)
    assert.deepEqual(await api.list(`${path}?to=${from}`), [])
    assert.equal((await api.get(`${path}?address=${STRANGER}`)).status, 400)
    assert.equal((await api.get(`/hyperlane/zkism?tx_hash=${'0'.repeat(64)}`)).status, 400)
    assert.deepEqual(await api.list('/hyperlane/zkism/9/updates'), [])
    assert.equal((await api.get('/hyperlane/zkism/9')).status, 204)
  })
})
