import { Type } from 'typebox'
import { MessageType, MsgAddressType } from './enums.ts'
import { Tx, TxForAddress } from './tx.ts'
import { Integer, Maybe, Model, Nullable, Time } from './values.ts'

/** The message in protobuf-JSON form with PascalCase keys (docs/rules.md R25); null when it has no fields. */
export const MessageData = Nullable(Type.Record(Type.String(), Type.Unknown()))

export const Message = Model('Message', {
  id: Integer,
  height: Integer,
  time: Time,
  position: Integer,
  size: Integer,
  tx_id: Maybe(Integer),
  type: MessageType,
  data: MessageData,
  tx: Maybe(Tx),
})

/** `GET /tx?messages=true`: the messages stand inside their tx and do not repeat it. */
export const TxWithMessages = Model('TxWithMessages', { ...Tx.properties, messages: Maybe(Type.Array(Message)) })

export const MessageForAddress = Model('MessageForAddress', {
  id: Integer,
  height: Integer,
  time: Time,
  position: Integer,
  size: Integer,
  tx_id: Maybe(Integer),
  type: MessageType,
  invocation_type: MsgAddressType,
  data: MessageData,
  tx: TxForAddress,
})
