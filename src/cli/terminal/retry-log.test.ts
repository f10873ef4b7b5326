import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { OperatorError, Transient } from '../../lib/errors.ts'
import { RetryLog } from './retry-log.ts'

function open(): { retries: RetryLog; lines: () => { level: number; msg: string; tries?: number }[] } {
  const written: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => written.push(line) })
  return { retries: new RetryLog(log, undefined), lines: () => written.map((line) => JSON.parse(line)) }
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

test('a database that is away is told once when it goes and once when it is back, with the number of tries', () => {
  const { retries, lines } = open()
  retries.failed(new Transient('connection_lost', 'the database connection of the writer was lost'), 200)
  for (let i = 0; i < 56; i++) retries.failed(refused(), 200)
  assert.deepEqual(
    lines().map(({ msg }) => msg),
    ['the database is away: indexing waits until it is back, nothing is lost'],
  )
  retries.progressed()
  retries.progressed()
  assert.deepEqual(
    lines().map(({ msg, tries }) => [msg, tries]),
    [
      ['the database is away: indexing waits until it is back, nothing is lost', undefined],
      ['the database is back, indexing continues', 57],
    ],
  )
})

test('a standstill is told once for each reason, other troubles every time', () => {
  const { retries, lines } = open()
  const none = new OperatorError('no_node_left', 'no node can be used any more')
  for (let i = 0; i < 3; i++) retries.stands(none)
  retries.failed(new Transient('no_commit', 'nobody has the commit'), 200)
  retries.failed(new Transient('no_commit', 'nobody has the commit'), 200)
  assert.equal(lines().filter(({ msg }) => msg.startsWith('indexing stands still')).length, 1)
  assert.equal(lines().filter(({ msg }) => msg.startsWith('indexing failed: trying again')).length, 2)
})
