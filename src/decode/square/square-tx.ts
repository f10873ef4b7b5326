import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { fromHex } from '../../lib/encoding/bytes.ts'
import { WireError, WireReader } from '../../lib/encoding/protowire.ts'
import { type Blob, unwrapTx } from '../blob-tx.ts'
import { type DecodedTx, decodeTx } from '../tx.ts'
import type { SquareTx } from './build-square.ts'
import type { TxShape } from './layout.ts'
import { NAMESPACE_SIZE } from './namespaces.ts'
import { SIGNER_SIZE } from './share-counts.ts'
import type { SquareBlob } from './shares.ts'

const PAY_FOR_FIBRE = '/celestia.fibre.v1.MsgPayForFibre'
/** Before this app version the message is unknown to the chain, and a tx that carries it is a plain one. */
const FIBRE_APP_VERSION = 10
const FIBRE_COMMITMENT_SIZE = 32
/** Before this app version the chain counted the shares of an authored blob as if it had no signer, though it wrote the signer. */
export const SIGNER_COUNTED_VERSION = 6

/** A tx of a block as the square sees it; payloads stay views into `bytes`. */
export function toSquareTx(bytes: Uint8Array, versionApp: number): SquareTx {
  const unwrapped = readEnvelope(bytes)
  if (unwrapped.kind === 'blob')
    return { kind: 'blob', inner: unwrapped.inner, blobs: markUncounted(unwrapped.blobs, versionApp) }
  const fibreBlob = versionApp < FIBRE_APP_VERSION ? undefined : findFibreBlob(decodeTx(bytes))
  return fibreBlob === undefined
    ? { kind: 'plain', inner: bytes, blobs: [] }
    : { kind: 'fibre', inner: bytes, blobs: [fibreBlob] }
}

/** Shape for the layout alone, from a decoded tx. */
export function toTxShape(bytes: Uint8Array, tx: DecodedTx, versionApp: number): TxShape {
  if (tx.kind === 'blob') return { kind: 'blob', inner: { length: tx.size }, blobs: markUncounted(tx.blobs, versionApp) }
  const fibreBlob = versionApp < FIBRE_APP_VERSION ? undefined : findFibreBlob(tx)
  return fibreBlob === undefined
    ? { kind: 'plain', inner: bytes, blobs: [] }
    : { kind: 'fibre', inner: bytes, blobs: [fibreBlob] }
}

function markUncounted(blobs: Blob[], versionApp: number): SquareBlob[] {
  if (versionApp >= SIGNER_COUNTED_VERSION || blobs.every(({ shareVersion }) => shareVersion === 0)) return blobs
  return blobs.map((blob) => (blob.shareVersion === 0 ? blob : { ...blob, signerUncounted: true }))
}

/** Bytes that are no protobuf at all are still a tx of the block, and stand in the square as they are. */
function readEnvelope(bytes: Uint8Array): ReturnType<typeof unwrapTx> {
  try {
    return unwrapTx(bytes)
  } catch (error) {
    if (error instanceof WireError) return { kind: 'plain', inner: bytes, blobs: [] }
    throw error
  }
}

function findFibreBlob(tx: DecodedTx): SquareBlob | undefined {
  if (tx.error !== undefined || tx.messages.length !== 1) return undefined
  const { typeUrl, value } = tx.messages[0]!
  if (typeUrl !== PAY_FOR_FIBRE) return undefined
  try {
    return readFibreBlob(value)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** MsgPayForFibre {1 signer, 2 payment_promise {3 namespace, 5 blob_version, 6 commitment}} */
function readFibreBlob(message: Uint8Array): SquareBlob | undefined {
  let signer: Uint8Array | undefined
  let namespace: Uint8Array | undefined
  let commitment: Uint8Array | undefined
  let blobVersion = 0
  const reader = new WireReader(message)
  while (reader.next()) {
    if (reader.field === 1) signer = fromHex(decodeAccount(reader.text()) ?? '')
    else if (reader.field === 2) {
      const promise = new WireReader(reader.bytes())
      while (promise.next()) {
        if (promise.field === 3) namespace = promise.bytes()
        else if (promise.field === 5) blobVersion = promise.uint32()
        else if (promise.field === 6) commitment = promise.bytes()
        else promise.skip()
      }
    } else reader.skip()
  }
  if (namespace?.length !== NAMESPACE_SIZE || commitment?.length !== FIBRE_COMMITMENT_SIZE || signer?.length !== SIGNER_SIZE) {
    return undefined
  }
  return makeFibreBlob({ namespace, blobVersion, commitment, signer })
}

/** The one-share system blob that a PayForFibre tx puts into the namespace of its payment promise. `signer`: of the tx. */
export function makeFibreBlob(promise: {
  namespace: Uint8Array
  blobVersion: number
  commitment: Uint8Array
  signer: Uint8Array
}): SquareBlob {
  const data = Buffer.alloc(4 + FIBRE_COMMITMENT_SIZE)
  data.writeUInt32BE(promise.blobVersion)
  data.set(promise.commitment, 4)
  return { namespace: promise.namespace, data, shareVersion: 2, signer: promise.signer }
}
