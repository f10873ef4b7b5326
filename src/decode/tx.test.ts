import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { mutateBytes, readRecordedTxs, seededRandom } from '../../test/recorded-txs.ts'
import { concatBytes, fromUtf8 } from '../lib/encoding/bytes.ts'
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from './gen/cosmos/tx/v1beta1/types_pb.ts'
import { decodeTx } from './tx.ts'

const recorded = readRecordedTxs('devnet')

function field(number: number, value: Uint8Array): Uint8Array {
  assert.ok(value.length < 16384)
  return concatBytes(Uint8Array.of((number << 3) | 2, (value.length & 0x7f) | 0x80, value.length >> 7), value)
}

const namespace = new Uint8Array(28).fill(7)
const plain = concatBytes(field(1, field(2, fromUtf8('hello'))), field(2, new Uint8Array(0)), field(3, new Uint8Array(64)))

test('the envelope of every recorded tx reads the same as with the generated codec', () => {
  assert.ok(recorded.length > 3000)
  for (const { bytes } of recorded) {
    const tx = decodeTx(bytes)
    assert.equal(tx.error, undefined)
    if (tx.error !== undefined) return
    const inner = tx.kind === 'plain' ? bytes : fromBinary(TxRawSchema, bytes).bodyBytes
    const raw = fromBinary(TxRawSchema, inner)
    const body = fromBinary(TxBodySchema, raw.bodyBytes)
    const auth = fromBinary(AuthInfoSchema, raw.authInfoBytes)
    assert.equal(tx.hash, createHash('sha256').update(inner).digest('hex'))
    assert.equal(tx.size, inner.length)
    assert.equal(tx.memo, body.memo)
    assert.equal(tx.timeoutHeight, body.timeoutHeight)
    assert.equal(tx.signaturesCount, raw.signatures.length)
    assert.equal(tx.messages.length, body.messages.length)
    for (const [i, message] of body.messages.entries()) {
      assert.equal(tx.messages[i]!.typeUrl, message.typeUrl)
      assert.deepEqual(Buffer.from(tx.messages[i]!.value), Buffer.from(message.value))
    }
    const fee = auth.fee!
    assert.deepEqual(tx.fee, {
      coins: fee.amount.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) })),
      gasLimit: fee.gasLimit,
      payer: fee.payer,
      granter: fee.granter,
    })
    assert.deepEqual(
      tx.publicKeys.map((key) => key?.typeUrl),
      auth.signerInfos.map((info) => info.publicKey?.typeUrl),
    )
  }
})

test('a tx with blobs has one PayForBlobs message and its blobs are views into the tx', () => {
  const blobTxs = recorded.filter(({ bytes }) => decodeTx(bytes).kind === 'blob')
  assert.ok(blobTxs.length > 1000)
  for (const { bytes } of blobTxs) {
    const tx = decodeTx(bytes)
    assert.ok(tx.error === undefined)
    assert.deepEqual(
      tx.messages.map((message) => message.typeUrl),
      ['/celestia.blob.v1.MsgPayForBlobs'],
    )
    assert.ok(tx.blobs.length > 0)
    for (const blob of tx.blobs) {
      assert.equal(blob.namespace.length, 29)
      assert.equal(blob.data.buffer, bytes.buffer)
      assert.equal(blob.signer?.length, blob.shareVersion === 1 ? 20 : undefined)
    }
  }
})

test('only the type id makes a wrapper', () => {
  const blob = concatBytes(field(1, namespace), field(2, Uint8Array.of(1, 2, 3)))
  const blobTx = decodeTx(concatBytes(field(1, plain), field(2, blob), field(3, fromUtf8('BLOB'))))
  assert.equal(blobTx.kind, 'blob')
  assert.ok(blobTx.error === undefined)
  assert.equal(blobTx.memo, 'hello')
  assert.deepEqual([...blobTx.blobs[0]!.namespace], [0, ...namespace])
  assert.equal(blobTx.hash, decodeTx(plain).hash)

  const index = decodeTx(concatBytes(field(1, plain), field(2, Uint8Array.of(1, 2)), field(3, fromUtf8('INDX'))))
  assert.equal(index.kind, 'index')
  assert.equal(index.hash, decodeTx(plain).hash)

  assert.equal(decodeTx(concatBytes(field(1, plain), field(2, blob), field(3, fromUtf8('BLOC')))).kind, 'plain')
  assert.equal(decodeTx(concatBytes(field(1, plain), field(3, fromUtf8('BLOB')))).kind, 'plain')
  const short = concatBytes(field(1, namespace.subarray(1)), field(2, Uint8Array.of(1)))
  assert.equal(decodeTx(concatBytes(field(1, plain), field(2, short), field(3, fromUtf8('BLOB')))).kind, 'plain')
})

test('the last body of a tx wins', () => {
  const tx = decodeTx(concatBytes(field(1, field(2, fromUtf8('first'))), plain))
  assert.ok(tx.error === undefined)
  assert.equal(tx.memo, 'hello')
})

test('a fee in several coins, a payer and a granter are kept', () => {
  const auth = create(AuthInfoSchema, {
    fee: {
      amount: [
        { denom: 'utia', amount: '12' },
        { denom: 'ibc/AB', amount: '1'.repeat(78) },
      ],
      gasLimit: 2n ** 64n - 1n,
      payer: 'p',
      granter: 'g',
    },
    signerInfos: [{}],
  })
  const tx = decodeTx(toBinary(TxRawSchema, create(TxRawSchema, { authInfoBytes: toBinary(AuthInfoSchema, auth) })))
  assert.ok(tx.error === undefined)
  assert.deepEqual(tx.fee.coins[1], { denom: 'ibc/AB', amount: BigInt('1'.repeat(78)) })
  assert.equal(tx.fee.gasLimit, 2n ** 64n - 1n)
  assert.deepEqual([tx.fee.payer, tx.fee.granter], ['p', 'g'])
  assert.deepEqual(tx.publicKeys, [undefined])
})

test('bytes that are no tx keep their hash and say why', () => {
  const bytes = fromUtf8('this is not a transaction')
  const tx = decodeTx(bytes)
  assert.equal(tx.hash, createHash('sha256').update(bytes).digest('hex'))
  assert.ok(tx.error)
  const amount = create(AuthInfoSchema, { fee: { amount: [{ denom: 'utia', amount: '1'.repeat(100_000) }] } })
  assert.match(
    decodeTx(toBinary(TxRawSchema, create(TxRawSchema, { authInfoBytes: toBinary(AuthInfoSchema, amount) }))).error ?? '',
    /integer/,
  )
})

test('more entries than any block can hold are refused before they fill the memory', () => {
  const body = new Uint8Array(2_000_000)
  for (let i = 0; i < body.length; i += 2) body[i] = 0x0a
  const tx = decodeTx(toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes: body })))
  assert.match(tx.error ?? '', /too many messages/)
})

test('damaged txs never throw and keep the hash of what was damaged', () => {
  const random = seededRandom(20261115)
  let undecodable = 0
  for (let round = 0; round < 20_000; round++) {
    const { bytes } = recorded[Math.floor(random() * recorded.length)]!
    const damaged = mutateBytes(bytes.length > 4096 ? bytes.subarray(0, 4096) : bytes, random)
    const tx = decodeTx(damaged)
    assert.match(tx.hash, /^[0-9a-f]{64}$/)
    if (tx.error !== undefined) undecodable++
  }
  assert.ok(undecodable > 1000)
})
