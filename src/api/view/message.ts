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
export async function readMessageData(sql: Reader, row: MessageRow, success: boolean): Promise<Data> {
  const { type, type_url, tx_id } = row
  const typeUrl = type_url ?? typeUrlOf(type)
  if (row.value) return messageData(typeUrl, row.value, { success })
  const value = await findMessageValue(sql, row)
  if (!value) throw reorganising()
  if (value.length <= SMALL_BYTES) return messageData(typeUrl, value, { success })
  const text = await squareThread.run('message', { typeUrl, value, success }, { name: `tx ${tx_id}`, share: 1 })
  return new WrittenJson(text) as unknown as Data
}

/** A message without its tx. */
export async function readMessage(sql: Reader, row: MessageRow, success: boolean): Promise<Static<typeof Message>> {
  const { id, height, time, position, size, tx_id, type } = row
  const data = await readMessageData(sql, row, success)
  return { id, height, time, position, size, tx_id, type: messageTypeName(type), data }
}
