import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Any } from '@bufbuild/protobuf/wkt'
import { MsgSetFibreProviderInfoSchema } from '../../src/decode/gen/celestia/valaddr/v1/types_pb.ts'
import { GenericAuthorizationSchema, MsgGrantSchema } from '../../src/decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgSubmitProposalSchema, TextProposalSchema } from '../../src/decode/gen/cosmos/gov/v1beta1/types_pb.ts'
import { ParameterChangeProposalSchema } from '../../src/decode/gen/cosmos/params/v1beta1/types_pb.ts'
import { MsgEditValidatorSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { MsgCreateClientSchema } from '../../src/decode/gen/ibc/core/client/v1/types_pb.ts'
import { ClientStateSchema } from '../../src/decode/gen/ibc/lightclients/tendermint/v1/types_pb.ts'
import type { AnyMessage } from '../../src/decode/tx.ts'
import { refundedDeposit, submissionEvents, votingEnded } from '../../src/simulation/txs/gov.ts'
import { openChannels, received, relayed, relayer, vouchersMinted } from '../../src/simulation/txs/ibc.ts'
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
  mintedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'
import { balancesOf, constantOf, plain } from './read-rows.ts'
import { refused } from './signed-txs.ts'

const alice = anAccount('alice')
const one = aValidator('one')
const DEPOSIT = 1_000_000_000n

/** Text that a node may print in JSON: U+0000 and lone surrogates. */
const TOLD = 'a\u0000b\ud800c\udc00d'
const TOLD_KEPT = 'a\ufffdb\ufffdc\ufffdd'

/** Ten characters that stand for ten bytes which are no UTF-8: a zero, a surrogate, an overlong zero, a byte that never is, a cut sequence. */
const MARK = 'SPOIL-HERE'
const BYTES = Buffer.from([0x00, 0xed, 0xa0, 0x80, 0xc0, 0x80, 0xff, 0x61, 0xe2, 0x82])

/** Puts the bytes where the mark stands: lengths stay as they are. */
function spoiled(tx: BuiltTx): BuiltTx {
  const bytes = Buffer.from(tx.bytes)
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK)) BYTES.copy(bytes, at)
  return { ...tx, bytes }
}

const isText = (text: string) => !text.includes('\u0000') && Buffer.from(text).toString() === text

/** Was spoiled, and can be stored now. */
const isClean = (text: unknown) => typeof text === 'string' && text.includes('\ufffd') && isText(text)

const coin = { denom: 'utia', amount: String(DEPOSIT) }

const by = (from: string, message: AnyMessage): BuiltTx => aTx({ from, actions: [{ message }] })

const submit = (id: number, content: Any): BuiltTx => {
  const message = aMessage(MsgSubmitProposalSchema, { content, initialDeposit: [coin], proposer: alice.text })
  const events = submissionEvents({ id, from: alice.text, deposit: DEPOSIT, opens: true })
  return aTx({ from: alice.text, actions: [{ message, events }] })
}

const PATHS = [
  '/head',
  '/block?limit=100&stats=true',
  '/block/1/events?limit=100',
  '/block/1/messages?limit=100',
  '/block/2',
  '/block/2/events?limit=100',
  '/block/2/messages?limit=100',
  '/block/3/events?limit=100',
  '/block/3/messages?limit=100',
  '/tx?limit=100&messages=true',
  '/tx?limit=100&status=failed',
  '/validators?limit=10',
  '/validators/1',
  '/validators/1/messages',
  '/proposal?limit=10',
  '/proposal/1',
  '/proposal/2',
  '/proposal/3',
  '/ibc/transfer?limit=10',
  '/ibc/channel',
  '/ibc/client',
  '/constants',
  '/address?limit=50',
  `/address/${alice.text}`,
  `/address/${alice.text}/messages`,
  `/address/${alice.text}/grants`,
  '/search?query=SPOIL',
  '/stats/summary/tx/count',
]

describe('text that no database takes as it stands', () => {
  let chain: BuiltChain
  let api: ServedChain
  const description = { moniker: MARK, identity: MARK, website: MARK, securityContact: MARK, details: MARK }
  const transfer = { denom: `gold${TOLD}`, amount: '9', sender: `osmo${TOLD}`, receiver: alice.text, memo: `for you ${TOLD}` }
  const denom = `weird\u001f${TOLD}`
  const changes = [
    { subspace: MARK, key: MARK, value: MARK },
    { subspace: 'staking', key: 'BondDenom', value: `"${MARK}"` },
  ]
  before(async () => {
    const document = aGenesis({
      balances: { [alice.text]: 10n * DEPOSIT, [relayer.text]: 10n * DEPOSIT, [one.text]: 11_000_000n },
      validators: [{ name: 'one', stake: 10_000_000n }],
    })
    const bank = (document.app_state as Record<string, Record<string, unknown>>).bank!
    bank.denom_metadata = [
      { base: 'utia', description: TOLD, display: TOLD, name: TOLD, symbol: TOLD, uri: TOLD, denom_units: [] },
    ]
    chain = await indexAndReplay(document, [
      aBlock(1, {
        begin: [anEvent(`kind ${TOLD}`, [[TOLD, TOLD]]), ...mintedCoins('mint', `7${denom}`)],
        txs: [
          aSend(alice.text, one.text, 1n, { memo: `memo ${MARK}` }),
          aSend(alice.text, one.text, 1n, { code: 7, codespace: TOLD, log: `log ${TOLD}` }),
          aTx({
            from: alice.text,
            actions: [{ message: { typeUrl: `/nasty.v1.${MARK}`, value: BYTES }, events: [anEvent('x', { [TOLD]: TOLD })] }],
          }),
          refused(
            aSend(alice.text, one.text, 1n, {
              feeCoins: [
                { denom: 'utia', amount: '5' },
                { denom: MARK, amount: '7' },
              ],
            }),
          ),
          openChannels(),
        ].map(spoiled),
      }),
      aBlock(2, {
        txs: [
          by(one.text, aMessage(MsgEditValidatorSchema, { description, validatorAddress: one.operator })),
          by(one.text, aMessage(MsgSetFibreProviderInfoSchema, { signer: one.operator, host: MARK })),
          by(
            alice.text,
            aMessage(MsgGrantSchema, {
              granter: alice.text,
              grantee: one.text,
              grant: { authorization: anAny(GenericAuthorizationSchema, { msg: `/m.${MARK}` }) },
            }),
          ),
          submit(1, anAny(TextProposalSchema, { title: `title ${MARK}`, description: `text ${MARK}` })),
          submit(2, anAny(ParameterChangeProposalSchema, { title: MARK, description: MARK, changes })),
          submit(3, anAny(TextProposalSchema, { title: 'fails', description: MARK })),
          relayed(received(transfer, vouchersMinted(alice.text, 9n))),
        ].map(spoiled),
      }),
      aBlock(3, {
        end: [
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(2, 'proposal_passed'),
          ...refundedDeposit(alice.text, DEPOSIT),
          votingEnded(3, 'proposal_failed', `because ${TOLD}`),
        ],
      }),
    ])
    api = await serveChain(chain.url)
  })
  after(async () => {
    await api?.close()
    await chain?.close()
  })

  test('memos, logs and type URLs are kept with a sign in place of what is no text', async () => {
    const rows = await chain.sql`select memo, codespace, error, fee_other from tx where height = 1 order by id`
    assert.ok(isClean(rows[0]?.memo) && rows[0]?.memo.startsWith('memo \ufffd'))
    assert.deepEqual([rows[1]?.codespace, rows[1]?.error], [TOLD_KEPT, `log ${TOLD_KEPT}`])
    assert.ok(isClean(rows[3]?.fee_other))
    const messages = await chain.sql`select type, type_url, value from message where height = 1 and type = 0`
    assert.equal(messages.length, 1)
    assert.ok(isClean(messages[0]?.type_url))
    assert.deepEqual(messages[0]?.value, BYTES)
  })

  test('every field of a validator is', async () => {
    const rows = await chain.sql`select moniker, identity, website, contacts, details from validator where operator is not null`
    for (const text of Object.values(rows[0]!)) assert.ok(isClean(text))
  })

  test('titles, texts, changes, errors and constants of proposals are', async () => {
    const rows = await chain.sql`select title, description, changes, error from proposal order by id`
    assert.ok(isClean(rows[0]?.title) && isClean(rows[0]?.description))
    assert.ok(isClean(rows[1]?.title) && isClean(rows[1]?.changes[0].subspace) && isClean(rows[1]?.changes[0].value))
    assert.equal(rows[2]?.error, `because ${TOLD_KEPT}`)
    assert.ok(isClean(await constantOf(chain.sql, 'staking', 'bond_denom')))
  })

  test('denominations are, in balances, supply and their descriptions', async () => {
    assert.deepEqual(Object.values(await balancesOf(chain.sql, `weird\u001f${TOLD_KEPT}`)), ['7'])
    const supply = await chain.sql`select amount from supply where denom = ${`weird\u001f${TOLD_KEPT}`}`
    assert.deepEqual(plain(supply), [{ amount: '7' }])
    const metadata = await chain.sql`select description, display, name, symbol, uri from denom_metadata`
    for (const text of Object.values(metadata[0]!)) assert.equal(text, TOLD_KEPT)
  })

  test('transfers and grants are', async () => {
    const rows = await chain.sql`select denom, memo, sender from ibc_transfer`
    assert.deepEqual(plain(rows), [{ denom: `gold${TOLD_KEPT}`, memo: `for you ${TOLD_KEPT}`, sender: `osmo${TOLD_KEPT}` }])
    const grants = await chain.sql`select "authorization" from authz_grant`
    assert.ok(isClean(grants[0]?.authorization))
  })

  test('everything about it is answered', async () => {
    for (const path of PATHS) {
      const { status, text } = await api.get(path)
      assert.equal(status, 200, `${path}: ${text.slice(0, 200)}`)
      assert.ok(isText(text) && !text.includes('\\u0000') && !text.includes('\\ud800'), path)
    }
    for (const { hash } of (await api.list('/tx?limit=100')).filter((tx) => tx.hash !== ''))
      for (const part of ['', '/events', '/messages', '/blobs'])
        assert.equal((await api.get(`/tx/${hash}${part}`)).status, 200, `/tx/${hash}${part}`)
  })
})

test('names that no index could hold are told apart by their hash', async (t) => {
  const names = ['a', 'b'].map((last) => `${'long'.repeat(3000)}${last}`)
  const grant = (msg: string) =>
    by(
      alice.text,
      aMessage(MsgGrantSchema, {
        granter: alice.text,
        grantee: one.text,
        grant: { authorization: anAny(GenericAuthorizationSchema, { msg }) },
      }),
    )
  const document = aGenesis({ balances: { [alice.text]: DEPOSIT, [one.text]: 11_000_000n, [relayer.text]: DEPOSIT } })
  const chain = await indexAndReplay(document, [
    aBlock(1, {
      begin: names.flatMap((name) => mintedCoins('mint', `5${name}`)),
      txs: [
        ...names.map(grant),
        relayed({
          message: aMessage(MsgCreateClientSchema, {
            clientState: anAny(ClientStateSchema, { chainId: names[0]! }),
            signer: relayer.text,
          }),
          events: [anEvent('create_client', { client_id: names[0]!, client_type: 'x' })],
        }),
      ],
    }),
  ])
  t.after(() => chain.close())
  for (const table of ['authz_grant', 'balance', 'supply'])
    assert.equal(
      (await chain.sql.unsafe(`select 1 from ${table} where ${table === 'authz_grant' ? 'true' : `denom <> 'utia'`}`)).length,
      2,
      table,
    )
  assert.equal((await chain.sql`select 1 from ibc_client`).length, 1)
})
