import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Invariant, NodeFault, OperatorError, Transient } from '../lib/errors.ts'
import { connectClient } from '../store/servers/connect.ts'
import { judgeFailure } from './failure.ts'

const coded = (code: string) => Object.assign(new Error('an error'), { code })

test('what passes by itself is tried again', () => {
  for (const code of [
    '57P01',
    '57P03',
    '08006',
    '53100',
    '53300',
    '40001',
    '40P01',
    '55P03',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOSPC',
  ])
    assert.equal(judgeFailure(coded(code)), 'retry', code)
  for (const text of ['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])
    assert.equal(judgeFailure(new Error(text)), 'retry', text)
  assert.equal(judgeFailure(new Transient('connection_lost', 'x')), 'retry')
  assert.equal(judgeFailure(new NodeFault('height_gap', 'x')), 'retry')
})

test('a Unix socket that is missing comes back with its server, a missing file does not', async () => {
  const away = await connectClient('postgres://u:p@%2Fnowhere:5432/db', {}).catch((error: Error) => error)
  assert.equal((away as { code?: string }).code, 'ENOENT')
  assert.equal(judgeFailure(away), 'retry')
  assert.equal(judgeFailure(Object.assign(coded('EAGAIN'), { syscall: 'connect' })), 'retry')
  assert.equal(judgeFailure(await readFile('/nowhere/file').catch((error: Error) => error)), 'final')
})

test('an error of a statement is worth a few tries', () => {
  for (const code of ['42P01', '23505', '22P02']) assert.equal(judgeFailure(coded(code)), 'sql', code)
})

test('our own bugs and the questions to an operator end the process', () => {
  for (const error of [new Invariant('x', 'x'), new OperatorError('wrong_chain', 'x'), new TypeError('x'), 'text', undefined])
    assert.equal(judgeFailure(error), 'final')
})
