import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectContentType } from './content-type.ts'

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')

test('signatures are recognised', () => {
  const cases: [string, string][] = [
    ['', 'text/plain; charset=utf-8'],
    ['  \n<!doctype html>', 'text/html; charset=utf-8'],
    ['<p>', 'text/html; charset=utf-8'],
    ['<a href', 'text/html; charset=utf-8'],
    ['<!-- x', 'text/html; charset=utf-8'],
    ['\t<?xml version', 'text/xml; charset=utf-8'],
    ['%PDF-1.7', 'application/pdf'],
    ['%!PS-Adobe-3', 'application/postscript'],
    ['\xfe\xff\x00a', 'text/plain; charset=utf-16be'],
    ['\xff\xfea\x00', 'text/plain; charset=utf-16le'],
    ['\xef\xbb\xbfa', 'text/plain; charset=utf-8'],
    ['\x00\x00\x01\x00', 'image/x-icon'],
    ['BM\x00\x00', 'image/bmp'],
    ['GIF89a', 'image/gif'],
    ['RIFF\x01\x02\x03\x04WEBPVP', 'image/webp'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['FORM\x00\x00\x00\x00AIFF', 'audio/aiff'],
    ['OggS\x00', 'application/ogg'],
    ['MThd\x00\x00\x00\x06', 'audio/midi'],
    ['RIFF\x00\x00\x00\x00AVI ', 'video/avi'],
    ['\x00\x00\x00\x10ftypisom\x00\x00\x02\x00', 'application/octet-stream'],
    ['\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41', 'video/mp4'],
    ['\x00\x00\x00\x10ftypmp42\x00\x00\x00\x00', 'video/mp4'],
    ['\x1a\x45\xdf\xa3', 'video/webm'],
    [`${'x'.repeat(34)}LP`, 'application/vnd.ms-fontobject'],
    ['wOF2', 'font/woff2'],
    ['\x1f\x8b\x08', 'application/x-gzip'],
    ['PK\x03\x04', 'application/zip'],
    ['Rar!\x1a\x07\x01\x00', 'application/x-rar-compressed'],
    ['\x00asm', 'application/wasm'],
  ]
  for (const [text, type] of cases) assert.equal(detectContentType(latin1(text)), type, JSON.stringify(text))
})

test('what only begins like a signature is judged by its bytes', () => {
  assert.equal(detectContentType(latin1('<html')), 'text/plain; charset=utf-8')
  assert.equal(detectContentType(latin1('<htmlx>')), 'text/plain; charset=utf-8')
  assert.equal(detectContentType(latin1('\xfe\xffa')), 'text/plain; charset=utf-8')
  assert.equal(detectContentType(latin1('GIF88a')), 'text/plain; charset=utf-8')
  // an mp4 brand that stands where the version is
  assert.equal(detectContentType(latin1('\x00\x00\x00\x10ftypisommp41')), 'application/octet-stream')
  // a box longer than the data
  assert.equal(detectContentType(latin1('\x00\x00\x00\xfcftypmp42')), 'application/octet-stream')
})

test('text may hold high bytes and escapes but no other control characters', () => {
  assert.equal(detectContentType(latin1('caf\xe9\t\r\n\x0c\x1b[0m')), 'text/plain; charset=utf-8')
  for (const byte of [0x00, 0x08, 0x0b, 0x0e, 0x1a, 0x1c, 0x1f]) {
    assert.equal(detectContentType(Uint8Array.of(0x61, byte)), 'application/octet-stream')
  }
})

test('only the first 512 bytes count', () => {
  const data = Buffer.alloc(600, 0x61)
  data[512] = 0
  assert.equal(detectContentType(data), 'text/plain; charset=utf-8')
  data[511] = 0
  assert.equal(detectContentType(data), 'application/octet-stream')
})
