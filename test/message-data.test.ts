import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { encodeJsonMessage } from '../src/decode/from-json.ts'
import { messageData } from '../src/decode/message.ts'
import { type AnyMessage, decodeTx } from '../src/decode/tx.ts'
import { readRecordedGenesis, readRecordedTxs } from './recorded-txs.ts'

type ReferenceMessage = { id: number; size?: number; type: string; data: unknown }
type Genesis = { app_state: { genutil: { gen_txs: { body: { messages: unknown[] } }[] } } }

const fixture = fileURLToPath(new URL('../../test/fixtures/reference.ndjson.gz', import.meta.url))

function readReferenceMessages(): ReferenceMessage[] {
  const messages: ReferenceMessage[] = []
  for (const line of gunzipSync(readFileSync(fixture)).toString('utf8').split('\n')) {
    if (!line.includes('/messages')) continue
    const { url, body } = JSON.parse(line)
    if (/\/messages(\?|$)/.test(url) && Array.isArray(body)) messages.push(...body)
  }
  return messages
}

function readRecordedMessages(): Map<number, AnyMessage & { success: boolean }> {
  const messages = new Map<number, AnyMessage & { success: boolean }>()
  const { gen_txs } = (readRecordedGenesis('devnet') as Genesis).app_state.genutil
  let next = 1
  for (const json of gen_txs.flatMap((tx) => tx.body.messages))
    messages.set(next++, { ...encodeJsonMessage(json), success: true })
  let height = 0
  for (const tx of readRecordedTxs('devnet')) {
    if (tx.height !== height) {
      height = tx.height
      next = height * 2 ** 24
    }
    const decoded = decodeTx(tx.bytes)
    assert.ok(decoded.error === undefined)
    for (const message of decoded.messages) messages.set(next++, { ...message, success: tx.code === 0 })
  }
  return messages
}

test('every message data object of the reference is reproduced from the bytes of the recorded chain', () => {
  const recorded = readRecordedMessages()
  const reference = readReferenceMessages()
  assert.ok(reference.length > 180)
  for (const { id, size, type, data } of reference) {
    const message = recorded.get(id)
    assert.ok(message, `message ${id} is recorded`)
    // Messages of a namespace are listed without their size.
    if (size !== undefined) assert.equal(message.value.length, size, `${type} ${id} has the reference's size`)
    assert.deepEqual(messageData(message.typeUrl, message.value, message), data, `${type} ${id}`)
  }
})

test('every recorded message has a schema', () => {
  for (const { typeUrl, value, success } of readRecordedMessages().values()) {
    const data = messageData(typeUrl, value, { success })
    assert.ok(data && !('TypeUrl' in data), typeUrl)
  }
})
