import { MessageType } from './enums.ts'
import { MessageData } from './message.ts'
import { Tx } from './tx.ts'
import { Base64, Bool, Decimal, HexLower, Integer, Maybe, Model, Text, Time } from './values.ts'

export const Namespace = Model('Namespace', {
  id: Integer,
  size: Integer,
  blobs_count: Integer,
  version: Integer,
  namespace_id: HexLower,
  hash: Base64,
  pfb_count: Integer,
  last_height: Integer,
  last_message_time: Time,
  name: Text,
  reserved: Bool,
})

export const NamespaceMessage = Model('NamespaceMessage', {
  id: Integer,
  height: Integer,
  time: Time,
  position: Integer,
  type: MessageType,
  data: MessageData,
  tx: Tx,
  namespace: Namespace,
})

export const NamespaceShare = Model('NamespaceShare', {
  time: Time,
  name: Text,
  version: Maybe(Integer),
  namespace_id: Maybe(HexLower),
  size: Integer,
  share: Decimal,
})

export const NamespaceUsage = Model('NamespaceUsage', {
  name: Text,
  version: Maybe(Integer),
  namespace_id: Maybe(HexLower),
  size: Integer,
})
