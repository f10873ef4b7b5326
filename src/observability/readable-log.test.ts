import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'
import { createReadableStream } from './readable-log.ts'

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
