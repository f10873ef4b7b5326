import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushMessage } from './push-message.ts'

test('an event is one line of data with its channel, and the height to go on from', () => {
  assert.equal(
    String(PushMessage.of('blocks', { a: 1 }, 7).event),
    'id: 7\nevent: blocks\ndata: {"channel":"blocks","body":{"a":1}}\n\n',
  )
  assert.equal(String(PushMessage.of('head', 'x\ny').event), 'event: head\ndata: {"channel":"head","body":"x\\ny"}\n\n')
})
