import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalBytes, fromBase64, fromHex, sanitizeText, toBase64, toHex, toHexUpper, toText } from './bytes.ts'

test('hex and base64 go both ways on a view that does not start at zero', () => {
  const view = Uint8Array.of(9, 9, 0xab, 0xcd, 9).subarray(2, 4)
  assert.equal(toHex(view), 'abcd')
  assert.equal(toHexUpper(view), 'ABCD')
  assert.equal(toBase64(view), 'q80=')
  assert.ok(equalBytes(fromHex('ABcd')!, view))
  assert.ok(equalBytes(fromBase64('q80=')!, view))
})

test('text that is no hex or base64 is refused instead of cut', () => {
  for (const text of ['a', 'zz', 'abzz', '0xab']) assert.equal(fromHex(text), undefined, text)
  for (const text of ['q80', 'q8*=', '====', 'q80=q80=']) assert.equal(fromBase64(text), undefined, text)
})

test('sanitised text has no U+0000 and no lone surrogate and keeps everything else', () => {
  assert.equal(sanitizeText('a\u0000b'), 'a\ufffdb')
  assert.equal(sanitizeText('a\ud800b\udc00'), 'a\ufffdb\ufffd')
  assert.equal(sanitizeText('\ud83d\ude00\ud83d'), '\ud83d\ude00\ufffd')
  assert.equal(sanitizeText('\ufeffplain é 漢 😀'), '\ufeffplain é 漢 😀')
})

test('bytes that are not UTF-8 read as U+FFFD', () => {
  assert.equal(toText(Uint8Array.of(0x61, 0xff, 0x00, 0x62)), 'a\ufffd\ufffdb')
  assert.equal(toText(Uint8Array.of(0xed, 0xa0, 0x80)).includes('\ud800'), false)
})
