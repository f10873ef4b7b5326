import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKeyText } from '../store/access/key-text.ts'
import { createLog, createReadableStream } from './log.ts'

test('secrets do not reach a line, neither as fields nor inside texts', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const { text: key } = makeKeyText('live')
  log.info(
    { apikey: key, req: { headers: { apikey: key, authorization: `Bearer ${key}`, 'payment-signature': 'c2VjcmV0' } } },
    'a',
  )
  log.info({ url: 'postgres://user:hunter2@db/x' }, `key ${key} at postgres://user:hunter2@db/x`)
  log.error({ err: new Error(`refused ${key}`, { cause: new Error('Bearer abcdefghijkl') }) }, 'b')
  const text = lines.join('')
  assert.equal(lines.length, 3)
  for (const secret of [key, key.slice(11, 40), 'hunter2', 'c2VjcmV0', 'abcdefghijkl']) assert.ok(!text.includes(secret), secret)
  assert.ok(text.includes('astro_live_[redacted]'))
  for (const line of lines) assert.ok(JSON.parse(line))
})

test('a line for people has time, level, message and facts, and no secret', () => {
  const lines: string[] = []
  const log = createLog(
    'info',
    createReadableStream((text) => lines.push(text)),
  )
  log.info({ network: 'main', height: 5, reason: 'two words' }, 'progress')
  log.warn({ err: new Error('connect postgres://user:secret@db/x') }, 'closing failed')
  log.error({ err: new Error('broken') }, 'request failed')
  assert.match(lines[0]!, /^\d\d:\d\d:\d\d info {2}progress {2}network=main {2}height=5 {2}reason="two words"\n$/)
  assert.match(lines[1]!, /^\d\d:\d\d:\d\d warn {2}closing failed {2}error="connect postgres:\/\/\[redacted\]@db\/x"\n$/)
  assert.match(lines[2]!, /error=broken\nError: broken\n {4}at /)
})
