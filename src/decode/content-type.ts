/** Content type of a blob, by its first 512 bytes: the subset of WHATWG MIME sniffing that the reference uses. */

const SNIFF_LENGTH = 512
const TEXT = 'text/plain; charset=utf-8'
const HTML = 'text/html; charset=utf-8'

const HTML_TAGS = [
  '<!DOCTYPE HTML',
  '<HTML',
  '<HEAD',
  '<SCRIPT',
  '<IFRAME',
  '<H1',
  '<DIV',
  '<FONT',
  '<TABLE',
  '<A',
  '<STYLE',
  '<TITLE',
  '<B',
  '<BODY',
  '<BR',
  '<P',
  '<!--',
]

/** Text of a signature; `?` matches any byte. Kept as latin1 so that one character is one byte. */
type Signature = { pattern: string; type: string; length?: number }

// Order decides: the first signature that fits wins.
const BEFORE_MP4: Signature[] = [
  { pattern: '%PDF-', type: 'application/pdf' },
  { pattern: '%!PS-Adobe-', type: 'application/postscript' },
  // A byte order mark of UTF-16 alone says nothing: the reference asks for two more bytes.
  { pattern: '\xfe\xff', type: 'text/plain; charset=utf-16be', length: 4 },
  { pattern: '\xff\xfe', type: 'text/plain; charset=utf-16le', length: 4 },
  { pattern: '\xef\xbb\xbf', type: TEXT, length: 4 },
  { pattern: '\x00\x00\x01\x00', type: 'image/x-icon' },
  { pattern: '\x00\x00\x02\x00', type: 'image/x-icon' },
  { pattern: 'BM', type: 'image/bmp' },
  { pattern: 'GIF87a', type: 'image/gif' },
  { pattern: 'GIF89a', type: 'image/gif' },
  { pattern: 'RIFF????WEBPVP', type: 'image/webp' },
  { pattern: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { pattern: '\xff\xd8\xff', type: 'image/jpeg' },
  { pattern: 'FORM????AIFF', type: 'audio/aiff' },
  { pattern: 'ID3', type: 'audio/mpeg' },
  { pattern: 'OggS\x00', type: 'application/ogg' },
  { pattern: 'MThd\x00\x00\x00\x06', type: 'audio/midi' },
  { pattern: 'RIFF????AVI ', type: 'video/avi' },
  { pattern: 'RIFF????WAVE', type: 'audio/wave' },
]

const AFTER_MP4: Signature[] = [
  { pattern: '\x1a\x45\xdf\xa3', type: 'video/webm' },
  { pattern: `${'?'.repeat(34)}LP`, type: 'application/vnd.ms-fontobject' },
  { pattern: '\x00\x01\x00\x00', type: 'font/ttf' },
  { pattern: 'OTTO', type: 'font/otf' },
  { pattern: 'ttcf', type: 'font/collection' },
  { pattern: 'wOFF', type: 'font/woff' },
  { pattern: 'wOF2', type: 'font/woff2' },
  { pattern: '\x1f\x8b\x08', type: 'application/x-gzip' },
  { pattern: 'PK\x03\x04', type: 'application/zip' },
  { pattern: 'Rar!\x1a\x07\x00', type: 'application/x-rar-compressed' },
  { pattern: 'Rar!\x1a\x07\x01\x00', type: 'application/x-rar-compressed' },
  { pattern: '\x00asm', type: 'application/wasm' },
]

export function detectContentType(data: Uint8Array): string {
  const bytes = data.length > SNIFF_LENGTH ? data.subarray(0, SNIFF_LENGTH) : data
  if (bytes.length === 0) return TEXT
  return (
    detectMarkup(bytes) ??
    findSignature(bytes, BEFORE_MP4) ??
    (isMp4(bytes) ? 'video/mp4' : undefined) ??
    findSignature(bytes, AFTER_MP4) ??
    (isText(bytes) ? TEXT : 'application/octet-stream')
  )
}

function isSpace(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x20
}

function detectMarkup(bytes: Uint8Array): string | undefined {
  let start = 0
  while (start < bytes.length && isSpace(bytes[start]!)) start++
  if (bytes[start] !== 0x3c) return undefined
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(16, bytes.length - start)).toString('latin1')
  const upper = head.toUpperCase()
  for (const tag of HTML_TAGS) {
    const next = upper[tag.length]
    if (upper.startsWith(tag) && (next === ' ' || next === '>')) return HTML
  }
  return head.startsWith('<?xml') ? 'text/xml; charset=utf-8' : undefined
}

function findSignature(bytes: Uint8Array, signatures: readonly Signature[]): string | undefined {
  for (const { pattern, type, length = 0 } of signatures) {
    if (bytes.length >= length && startsWith(bytes, pattern)) return type
  }
  return undefined
}

const ANY = 0x3f

function startsWith(bytes: Uint8Array, pattern: string): boolean {
  if (bytes.length < pattern.length) return false
  for (let i = 0; i < pattern.length; i++) {
    const expected = pattern.charCodeAt(i)
    if (expected !== ANY && expected !== bytes[i]) return false
  }
  return true
}

/** First box of an ISO media file, with a brand of the mp4 family. */
function isMp4(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false
  const boxSize = (bytes[0]! * 2 ** 24 + bytes[1]! * 2 ** 16 + bytes[2]! * 2 ** 8 + bytes[3]!) >>> 0
  if (bytes.length < boxSize || boxSize % 4 !== 0 || !startsWith(bytes.subarray(4), 'ftyp')) return false
  for (let at = 8; at < boxSize; at += 4) {
    // Bytes 12 to 15 are the version of the brand, not a brand.
    if (at !== 12 && startsWith(bytes.subarray(at), 'mp4')) return true
  }
  return false
}

/** No control character that text does not have. */
function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f)) return false
  }
  return true
}
