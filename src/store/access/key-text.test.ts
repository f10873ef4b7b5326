import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKeyText, makeKeyText } from './key-text.ts'

test('a key has a prefix, its environment, 32 random characters and a checksum', () => {
  const { text, prefix, last4 } = makeKeyText('live')
  assert.match(text, /^astro_live_[0-9A-Za-z]{38}$/)
  assert.equal(prefix, 'astro_live_')
  assert.equal(last4, text.slice(-4))
  assert.ok(isKeyText(text, 'live'))
})

test('a key with any one character changed is refused by its checksum', () => {
  const { text } = makeKeyText('live')
  for (let i = 'astro_live_'.length; i < text.length; i++) {
    const other = text[i] === 'a' ? 'b' : 'a'
    assert.equal(isKeyText(text.slice(0, i) + other + text.slice(i + 1), 'live'), false, `position ${i}`)
  }
})

test('a key of another environment, a longer one and an empty text are no keys', () => {
  const { text } = makeKeyText('demo')
  assert.equal(isKeyText(text, 'live'), false)
  assert.equal(isKeyText(`${text}0`, 'demo'), false)
  assert.equal(isKeyText(`${text}, ${text}`, 'demo'), false)
  assert.equal(isKeyText('', 'demo'), false)
})
