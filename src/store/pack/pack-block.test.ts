import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlock, anAccount, aSend } from '../../../test/builders.ts'
import { deriveBlock } from '../../derive/block.ts'
import { messageTypeId } from '../../types/message-type.ts'
import { APPEND_ONLY } from './append-only.ts'
import { packBlock } from './pack-block.ts'

const alice = anAccount('alice')

test('a block has the types of all its txs, also of one that could not be decoded', () => {
  const send = aSend(alice.text, alice.text, 1n)
  const broken = { ...send, bytes: Uint8Array.of(0x0a, 0x7f) }
  const typesOf = (...txs: (typeof send)[]) => {
    const { blockRow, messageTypeCounts } = packBlock(deriveBlock(aBlock(5, { txs })))
    return [blockRow.split('\t')[APPEND_ONLY.block.columnNames.indexOf('message_types')], messageTypeCounts]
  }
  const type = messageTypeId('MsgSend')!
  assert.deepEqual(typesOf(send, broken), [`{0,${type}}`, [[type, 1]]])
  assert.deepEqual(typesOf(broken), ['{0}', []])
  assert.deepEqual(typesOf(), ['{}', []])
})
