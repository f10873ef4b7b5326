import type { Static } from 'typebox'
import { messageData } from '../../decode/message.ts'
import type { MessageRow } from '../../store/read/message.ts'
import { messageTypeName, typeUrlOf } from '../../types/message-type.ts'
import type { Message } from '../schema/message.ts'

/** `data` of a stored message. `success` is that of its tx. */
export function toMessageData({ type, type_url, value }: Pick<MessageRow, 'type' | 'type_url' | 'value'>, success: boolean) {
  return messageData(type_url ?? typeUrlOf(type), value, { success })
}

/** A message without its tx. */
export function toMessage(row: MessageRow, success: boolean): Static<typeof Message> {
  const { id, height, time, position, size, tx_id, type } = row
  return { id, height, time, position, size, tx_id, type: messageTypeName(type), data: toMessageData(row, success) }
}
