import type { Static } from 'typebox'
import { messageData } from '../../decode/message.ts'
import type { Reader } from '../../store/db.ts'
import { findMessageValue, type MessageRow } from '../../store/read/tx/message.ts'
import { messageTypeName, typeUrlOf } from '../../types/message-type.ts'
import { reorganising } from '../http/errors.ts'
import { WrittenJson } from '../http/write-json.ts'
import type { Message } from '../schema/message.ts'
import { squareThread } from '../square/thread.ts'

/** Larger ones are decoded on a thread. */
const SMALL_BYTES = 16_384

type Data = Static<typeof Message>['data']

/** `data` of a stored message. `success` is that of its tx. A large one is decoded on a thread. */
export function readMessageData(sql: Reader, row: MessageRow, success: boolean): Data | Promise<Data> {
  return row.value ? messageData(urlOf(row), row.value, { success }) : fetchMessageData(sql, row, success)
}

const urlOf = ({ type, type_url }: MessageRow) => type_url ?? typeUrlOf(type)

async function fetchMessageData(sql: Reader, row: MessageRow, success: boolean): Promise<Data> {
  const typeUrl = urlOf(row)
  const value = await findMessageValue(sql, row)
  if (!value) throw reorganising()
  if (value.length <= SMALL_BYTES) return messageData(typeUrl, value, { success })
  const text = await squareThread.run('message', { typeUrl, value, success }, { name: `tx ${row.tx_id}`, share: 1 })
  return new WrittenJson(text) as unknown as Data
}

/** A message without its tx. */
export function readMessage(
  sql: Reader,
  row: MessageRow,
  success: boolean,
): Static<typeof Message> | Promise<Static<typeof Message>> {
  const data = readMessageData(sql, row, success)
  return data instanceof Promise ? data.then((read) => toMessage(row, read)) : toMessage(row, data)
}

function toMessage({ id, height, time, position, size, tx_id, type }: MessageRow, data: Data): Static<typeof Message> {
  return { id, height, time, position, size, tx_id, type: messageTypeName(type), data }
}
