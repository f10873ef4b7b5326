import { MsgPayForBlobsSchema } from '../../decode/gen/celestia/blob/v1/types_pb.ts'
import { computeCommitment } from '../../decode/square/commitment.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { aMessage, aTx, type BuiltTx, type TxSpec } from './tx.ts'

/** A user namespace of version 0 by name, at most 10 characters: 29 bytes. */
export function aNamespace(name: string): Uint8Array {
  const namespace = new Uint8Array(29)
  const id = Buffer.from(name)
  namespace.set(id, 29 - id.length)
  return namespace
}

export function aBlob(namespace: string, data: string | Uint8Array): SquareBlob {
  return { namespace: aNamespace(namespace), data: typeof data === 'string' ? Buffer.from(data) : data, shareVersion: 0 }
}

export function aPayForBlobs(
  signer: string,
  blobs: SquareBlob[],
  spec: Partial<TxSpec> = {},
  events: ChainEvent[] = [],
): BuiltTx {
  const message = aMessage(MsgPayForBlobsSchema, {
    signer,
    namespaces: blobs.map(({ namespace }) => namespace),
    blobSizes: blobs.map(({ data }) => data.length),
    shareCommitments: blobs.map(computeCommitment),
    shareVersions: blobs.map(({ shareVersion }) => shareVersion),
  })
  return aTx({ from: signer, actions: [{ message, events }], blobs, ...spec })
}
