import { Type } from 'typebox'
import { Integer, Maybe, Model, Nullable, Text, Time } from './values.ts'

export const Event = Model('Event', {
  id: Integer,
  height: Integer,
  time: Time,
  position: Integer,
  tx_id: Maybe(Integer),
  type: Text,
  data: Nullable(Type.Record(Type.String(), Text)),
})
