import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaOf } from '../../decode/any.ts'
import { MESSAGE_TYPES, typeUrlOf } from '../../types/message-type.ts'
import { MESSAGE_HANDLERS } from './all.ts'

test('every message type that has a name is understood', () => {
  const missing = MESSAGE_TYPES.map((_, id) => typeUrlOf(id)).filter(
    (typeUrl) => typeUrl !== '' && !MESSAGE_HANDLERS.has(typeUrl),
  )
  assert.deepEqual(missing, [])
})

test('every handler stands under the type URL of the message it reads', () => {
  for (const [typeUrl, handle] of MESSAGE_HANDLERS) {
    assert.ok(schemaOf(typeUrl), typeUrl)
    const part = handle(new Uint8Array(0), true)
    assert.ok(part, `${typeUrl} of defaults`)
    assert.ok(Array.isArray(part.signers) && Array.isArray(part.links), typeUrl)
  }
})

test('a message of nothing but defaults has no effects that fail', () => {
  for (const [typeUrl, handle] of MESSAGE_HANDLERS) {
    const effects = handle(new Uint8Array(0), true)?.effects?.({
      height: 5,
      time: '2026-01-01T00:00:00Z',
      events: [],
      read: () => undefined,
    })
    assert.ok(effects === undefined || Array.isArray(effects), typeUrl)
  }
})
