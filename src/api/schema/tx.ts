import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { MessageType, Status } from './enums.ts'
import { Decimal, HexLower, Integer, Maybe, Model, Text, Time } from './values.ts'

export const Tx = Model('Tx', {
  id: Integer,
  height: Integer,
  position: Integer,
  gas_wanted: Integer,
  gas_used: Integer,
  timeout_height: Integer,
  events_count: Integer,
  messages_count: Integer,
  hash: HexLower,
  fee: Decimal,
  error: Maybe(Text),
  codespace: Maybe(Text),
  memo: Maybe(Text),
  time: Time,
  signers: Maybe(Type.Array(ShortAddress)),
  message_types: Type.Array(MessageType),
  status: Status,
})

export const TxForAddress = Model('TxForAddress', {
  messages_count: Integer,
  hash: HexLower,
  fee: Decimal,
  message_types: Type.Array(MessageType),
  status: Status,
})
