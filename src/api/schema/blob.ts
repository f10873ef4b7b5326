import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { Celestial } from './celestial.ts'
import { Namespace } from './namespace.ts'
import { ShortRollup } from './rollup.ts'
import { Tx } from './tx.ts'
import { Base64, HexLower, Integer, Maybe, Model, Nullable, Text, Time } from './values.ts'

export const BlobLog = Model('BlobLog', {
  id: Integer,
  commitment: Base64,
  size: Integer,
  share_version: Integer,
  height: Integer,
  time: Time,
  content_type: Text,
  namespace: Maybe(Namespace),
  tx: Maybe(Tx),
  rollup: Maybe(ShortRollup),
  signer: Maybe(ShortAddress),
})

export const LightBlobLog = Model('LightBlobLog', {
  id: Integer,
  commitment: Base64,
  size: Integer,
  share_version: Integer,
  height: Integer,
  time: Time,
  content_type: Text,
  namespace: Base64,
  tx_hash: HexLower,
  signer: Maybe(ShortAddress),
  celestials: Type.Partial(Celestial),
})

export const Blob = Model('Blob', {
  namespace: Base64,
  data: Base64,
  share_version: Integer,
  commitment: Base64,
  content_type: Text,
})

export const NodeBlob = Model('NodeBlob', {
  namespace: Base64,
  data: Base64,
  share_version: Integer,
  commitment: Base64,
})

export const BlobProof = Model('BlobProof', {
  start: Integer,
  end: Integer,
  nodes: Nullable(Type.Array(Base64)),
})
