import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTips, showTips } from './height-line.ts'
import { Terminal } from './terminal.ts'

const NOW = Date.parse('2026-11-15T12:00:05Z')

test('the line names the newest block of every network, and how old the first is', () => {
  const tips = [
    { network: 'demo', height: 1717, time: '2026-11-15T12:00:03Z' },
    { network: 'devnet', height: 403, time: '2026-01-01T00:00:00Z' },
  ]
  assert.equal(describeTips(tips, NOW), 'height   demo 1,717 (2 s ago) · devnet 403')
  assert.equal(describeTips(tips.slice(1), NOW), 'height   devnet 403')
})

test('the line stays below what is written meanwhile, and leaves nothing behind', () => {
  let screen = ''
  const terminal = new Terminal({ write: (text) => (screen += text), columns: 80 })
  const end = showTips(terminal, () => [{ network: 'demo', height: 7, time: '2026-01-01T00:00:00Z' }])
  terminal.write('a log line\n')
  assert.match(screen, /a log line\nheight {3}demo 7\n$/)
  screen = ''
  end()
  assert.doesNotMatch(screen, /demo/)
})
