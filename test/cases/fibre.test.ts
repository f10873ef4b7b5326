import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  MsgDepositToEscrowSchema,
  MsgPayForFibreSchema,
  MsgPaymentPromiseTimeoutSchema,
  MsgRequestWithdrawalSchema,
  MsgUpdateFibreParamsSchema,
} from '../../src/decode/gen/celestia/fibre/v1/types_pb.ts'
import { MsgSetFibreProviderInfoSchema } from '../../src/decode/gen/celestia/valaddr/v1/types_pb.ts'
import { toOds, unpackOds } from '../../src/decode/square/ods.ts'
import { encodeAddress, secp256k1Account } from '../../src/lib/encoding/bech32.ts'
import { aProposal, refundedDeposit, votingEnded } from '../../src/simulation/txs/gov.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  aNamespace,
  anAccount,
  anAny,
  anEvent,
  aTx,
  aTypedEvent,
  aValidator,
  type BuiltTx,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'
import { constantOf, plain, spendableOf } from './read-rows.ts'

const server = anAccount('server')
const one = aValidator('one')
const key = new Uint8Array(33).fill(3)
const payer = { hex: secp256k1Account(key), text: encodeAddress('celestia', secp256k1Account(key)) }
const FIBRE = moduleText('fibre')
const START = 100_000_000n
const DEPOSIT = 1_000_000_000n
/** 650,000 and 45,000 for each begun quarter of a megabyte. */
const PRICE = 650_000n + 45_000n * 4n

const coin = (amount: bigint) => ({ denom: 'utia', amount: String(amount) })
const promise = {
  chainId: 'astrolabe-built-1',
  height: 3n,
  namespace: aNamespace('fibre'),
  blobSize: 1_000_000,
  commitment: new Uint8Array(32).fill(9),
  signerPublicKey: { key },
}
const paid = movedCoins(FIBRE, moduleText('fee_collector'), `${PRICE}utia`)

const deposit = (): BuiltTx =>
  aTx({
    from: payer.text,
    actions: [
      {
        message: aMessage(MsgDepositToEscrowSchema, { signer: payer.text, amount: coin(20_000_000n) }),
        events: [
          ...movedCoins(payer.text, FIBRE, '20000000utia'),
          aTypedEvent('celestia.fibre.v1.EventDepositToEscrow', { signer: payer.text, amount: coin(20_000_000n) }),
        ],
      },
    ],
  })
const withdraw = (): BuiltTx =>
  aTx({
    from: payer.text,
    actions: [
      {
        message: aMessage(MsgRequestWithdrawalSchema, { signer: payer.text, amount: coin(5_000_000n) }),
        events: [
          aTypedEvent('celestia.fibre.v1.EventWithdrawFromEscrowRequest', { signer: payer.text, amount: coin(5_000_000n) }),
        ],
      },
    ],
  })
const payForFibre = (code = 0): BuiltTx =>
  aTx({
    from: server.text,
    code,
    actions: [
      {
        message: aMessage(MsgPayForFibreSchema, {
          signer: server.text,
          paymentPromise: promise,
          validatorSignatures: [new Uint8Array(64)],
        }),
        events: [...paid, aTypedEvent('celestia.fibre.v1.EventPayForFibre', { signer: payer.text, validator_count: 1 })],
      },
    ],
  })
const timeout = (): BuiltTx =>
  aTx({
    from: server.text,
    actions: [
      {
        message: aMessage(MsgPaymentPromiseTimeoutSchema, { signer: server.text, paymentPromise: promise }),
        events: [
          ...paid,
          aTypedEvent('celestia.fibre.v1.EventPaymentPromiseTimeout', { processor: server.text, escrow_signer: payer.text }),
        ],
      },
    ],
  })
const provide = (): BuiltTx =>
  aTx({
    from: one.text,
    actions: [
      {
        message: aMessage(MsgSetFibreProviderInfoSchema, { signer: one.operator, host: 'fibre.example:9090' }),
        events: [anEvent('set_fibre_provider_info', { validator: one.operator, host: 'fibre.example:9090' })],
      },
    ],
  })

describe('app version 10: fibre and the hosts of its validators', () => {
  let chain: BuiltChain
  let api: ServedChain
  before(async () => {
    const params = { withdrawalDelay: { seconds: 86_400n }, paymentPromiseHeightWindow: 1000n, fullStakeStorageBudget: 7n }
    const document = aGenesis({
      balances: { [server.text]: START, [payer.text]: START + DEPOSIT, [one.text]: 11_000_000n },
      validators: [{ name: 'one', stake: 10_000_000n }],
      appState: { fibre: { params: { withdrawal_delay: '3600s', payment_promise_height_window: '500' } } },
    })
    chain = await indexAndReplay({ ...document, consensus_params: { version: { app: '10' } } }, [
      aBlock(1, { versionApp: 10, txs: [deposit(), provide()] }),
      aBlock(2, {
        versionApp: 10,
        txs: [
          withdraw(),
          aProposal({
            id: 1,
            from: payer.text,
            deposit: DEPOSIT,
            opens: true,
            messages: [anAny(MsgUpdateFibreParamsSchema, { authority: moduleText('gov'), params })],
          }),
        ],
      }),
      aBlock(3, { versionApp: 10, txs: [payForFibre(), payForFibre(5), timeout()] }),
      aBlock(4, {
        versionApp: 10,
        begin: [
          ...movedCoins(FIBRE, payer.text, '5000000utia'),
          aTypedEvent('celestia.fibre.v1.EventWithdrawFromEscrowExecuted', { signer: payer.text, amount: coin(5_000_000n) }),
        ],
        end: [...refundedDeposit(payer.text, DEPOSIT), votingEnded(1, 'proposal_passed')],
      }),
    ])
    api = await serveChain(chain.url)
  })
  after(async () => {
    await api?.close()
    await chain.close()
  })

  test('the escrow pays for promises and gives back what is withdrawn', async () => {
    const { sql } = chain
    assert.equal(await spendableOf(sql, payer), START + DEPOSIT - 20_000_000n + 5_000_000n - 3n * 2000n)
    assert.equal(await spendableOf(sql, server), START - 3n * 2000n)
    const rows = await sql`select spendable from address where name = 'fibre'`
    assert.deepEqual(plain(rows), [{ spendable: String(20_000_000n - 5_000_000n - 2n * PRICE) }])
  })

  test('messages have no name in the enum yet, but are known: they link their parties and count as understood', async () => {
    const rows = await chain.sql`select type, type_url from message where height > 0 order by id`
    assert.deepEqual(
      rows.map(({ type, type_url }) => [type, type_url?.split('.').at(-1)]).filter(([type]) => type === 0),
      [
        'MsgDepositToEscrow',
        'MsgSetFibreProviderInfo',
        'MsgRequestWithdrawal',
        'MsgPayForFibre',
        'MsgPayForFibre',
        'MsgPaymentPromiseTimeout',
      ].map((name) => [0, name]),
    )
    assert.deepEqual(plain(await chain.sql`select total_unknown_messages as n from head`), [{ n: 0 }])
    const links = await chain.sql`
      select count(*)::int as n from message_address l join address a on a.id = l.address_id where a.address = ${Buffer.from(payer.hex, 'hex')}`
    assert.deepEqual(plain(links), [{ n: 3 + 3 }])
  })

  test('the host of a validator is linked to it', async () => {
    const rows = await chain.sql`
      select m.type_url from message_validator l join message m on m.id = l.message_id join validator v on v.id = l.validator_id
      where v.moniker = 'one' and m.height > 0`
    assert.deepEqual(plain(rows), [{ type_url: '/celestia.valaddr.v1.MsgSetFibreProviderInfo' }])
  })

  test('its parameters are constants from genesis, and change when a proposal passes', async () => {
    assert.equal(await constantOf(chain.sql, 'fibre', 'withdrawal_delay'), '86400000000000')
    assert.equal(await constantOf(chain.sql, 'fibre', 'payment_promise_height_window'), '1000')
    assert.equal(await constantOf(chain.sql, 'fibre', 'full_stake_storage_budget'), '7')
  })

  test('the square shows the promises and one share for each', async () => {
    const [block] = await chain.sql<{ ods: Buffer; square_size: number }[]>`select ods, square_size from block where height = 3`
    assert.deepEqual(
      toOds(block!.square_size, unpackOds(block!.ods)).items.map(({ type }) => type),
      ['tx', 'pay_for_fibre', 'namespace', 'tail_padding'],
    )
  })

  test('they are served', async () => {
    for (const path of [
      '/block/3/messages',
      '/block/3/events',
      '/block/4/events',
      '/tx?limit=20',
      `/address/${payer.text}/messages`,
      '/constants',
    ])
      assert.equal((await api.get(path)).status, 200, path)
  })
})
