import { equalBytes, fromUtf8 } from '../lib/encoding/bytes.ts'
import { WireError, WireReader } from '../lib/encoding/protowire.ts'

export type Blob = {
  /** version byte and 28-byte id */
  namespace: Uint8Array
  /** view into the tx bytes, never a copy: a blob can have 8 MiB */
  data: Uint8Array
  shareVersion: number
  /** 20 bytes, share version 1 only */
  signer?: Uint8Array
}

export type UnwrappedTx = { kind: 'plain' | 'blob' | 'index'; inner: Uint8Array; blobs: Blob[] }

/** A share carries at most one blob and the largest square has 512 x 512 of them: more entries than that are an attack on memory. */
export const MAX_ITEMS = 512 * 512

const BLOB = fromUtf8('BLOB')
const INDEX = fromUtf8('INDX')
const NO_BYTES: Uint8Array = new Uint8Array(0)

/** Takes a tx of a block out of its wrapper. A plain tx has the same field layout as both wrappers, so only the type id decides. */
export function unwrapTx(bytes: Uint8Array): UnwrappedTx {
  const typeId = findTypeId(bytes)
  const kind = typeId === undefined ? 'plain' : equalBytes(typeId, BLOB) ? 'blob' : equalBytes(typeId, INDEX) ? 'index' : 'plain'
  if (kind === 'plain') return { kind, inner: bytes, blobs: [] }
  const reader = new WireReader(bytes)
  let inner = NO_BYTES
  const blobs: Blob[] = []
  while (reader.next()) {
    if (reader.field === 1) inner = reader.bytes()
    else if (reader.field === 2 && kind === 'blob') {
      if (blobs.length === MAX_ITEMS) throw new WireError('too many blobs')
      const blob = readBlob(reader.message())
      if (!blob) return { kind: 'plain', inner: bytes, blobs: [] }
      blobs.push(blob)
    } else reader.skip()
  }
  if (kind === 'blob' && blobs.length === 0) return { kind: 'plain', inner: bytes, blobs }
  return { kind, inner, blobs }
}

/** Last value of field 3. Four bytes are compared, so that the 64-byte signatures of a plain tx cost nothing more. */
function findTypeId(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new WireReader(bytes)
  let typeId: Uint8Array | undefined
  while (reader.next()) {
    if (reader.field === 3) typeId = reader.bytes()
    else reader.skip()
  }
  return typeId?.length === 4 ? typeId : undefined
}

/** undefined when the namespace is none, which makes the whole tx a plain one. */
function readBlob(reader: WireReader): Blob | undefined {
  let id: Uint8Array | undefined
  let data = NO_BYTES
  let shareVersion = 0
  let namespaceVersion = 0
  let signer: Uint8Array | undefined
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        id = reader.bytes()
        break
      case 2:
        data = reader.bytes()
        break
      case 3:
        shareVersion = reader.uint32()
        break
      case 4:
        namespaceVersion = reader.uint32()
        break
      case 5:
        signer = reader.bytes()
        break
      default:
        reader.skip()
    }
  }
  if (id?.length !== 28 || namespaceVersion > 255) return undefined
  const namespace = new Uint8Array(29)
  namespace[0] = namespaceVersion
  namespace.set(id, 1)
  return signer && signer.length > 0 ? { namespace, data, shareVersion, signer } : { namespace, data, shareVersion }
}
