import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { toHex } from '../../lib/encoding/bytes.ts'
import { MsgPayForFibreSchema } from '../gen/celestia/fibre/v1/types_pb.ts'
import { TxBodySchema, TxRawSchema } from '../gen/cosmos/tx/v1beta1/types_pb.ts'
import { decodeTx } from '../tx.ts'
import { toSquareTx, toTxShape } from './square-tx.ts'

const signer = '00112233445566778899aabbccddeeff00112233'
const namespace = new Uint8Array(29).fill(6, 19)
const commitment = new Uint8Array(32).fill(0xcc)

function makeFibreTx(promise: MessageInitShape<typeof MsgPayForFibreSchema>['paymentPromise'], copies = 1): Uint8Array {
  const value = toBinary(
    MsgPayForFibreSchema,
    create(MsgPayForFibreSchema, { signer: encodeAddress('celestia', signer), paymentPromise: promise }),
  )
  const messages = new Array(copies).fill({ typeUrl: '/celestia.fibre.v1.MsgPayForFibre', value })
  return toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes: toBinary(TxBodySchema, create(TxBodySchema, { messages })) }))
}

const promise = { namespace, blobVersion: 258, commitment }

test('a PayForFibre tx of app 10 brings a system blob of version and commitment in the namespace of its promise', () => {
  const bytes = makeFibreTx(promise)
  const tx = toSquareTx(bytes, 10)
  assert.equal(tx.kind, 'fibre')
  assert.equal(tx.inner, bytes)
  const [blob] = tx.blobs
  assert.equal(toHex(blob!.data), `00000102${toHex(commitment)}`)
  assert.deepEqual([toHex(blob!.namespace), blob!.shareVersion, toHex(blob!.signer!)], [toHex(namespace), 2, signer])
  const shape = toTxShape(bytes, decodeTx(bytes), 10)
  assert.deepEqual([shape.kind, shape.inner.length, shape.blobs[0]!.data.length], ['fibre', bytes.length, 36])
})

test('before app 10, with two messages or with a broken promise it is a plain tx', () => {
  const cases: [Uint8Array, number][] = [
    [makeFibreTx(promise), 9],
    [makeFibreTx(promise, 2), 10],
    [makeFibreTx({ ...promise, namespace: new Uint8Array(28) }), 10],
    [makeFibreTx({ ...promise, commitment: new Uint8Array(31) }), 10],
  ]
  for (const [bytes, versionApp] of cases) {
    assert.deepEqual(toSquareTx(bytes, versionApp), { kind: 'plain', inner: bytes, blobs: [] })
    assert.equal(toTxShape(bytes, decodeTx(bytes), versionApp).kind, 'plain')
  }
})

test('bytes that are no protobuf stand in the square as they are', () => {
  const bytes = Uint8Array.of(255, 255, 255, 1, 2, 3)
  assert.deepEqual(toSquareTx(bytes, 10), { kind: 'plain', inner: bytes, blobs: [] })
  assert.deepEqual(toTxShape(bytes, decodeTx(bytes), 10), { kind: 'plain', inner: bytes, blobs: [] })
})
