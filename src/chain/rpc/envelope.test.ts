import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transient } from '../../lib/errors.ts'
import { readAnswers, writeRequest } from './envelope.ts'

const read = (text: string, count: number) => {
  const answers = readAnswers(Buffer.from(text), count)
  if (!Array.isArray(answers)) return { refused: answers.code }
  return answers.map((answer) => ('error' in answer ? answer.error : Buffer.from(answer.result).toString()))
}
const member = (id: number, result: string) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
const failed = (id: number, data: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"Internal error","data":"${data}"}}`

test('a single call is an object, several are a list with their positions as ids', () => {
  const call = { method: 'block', params: { height: '5' } }
  assert.equal(writeRequest([call]), '{"jsonrpc":"2.0","id":0,"method":"block","params":{"height":"5"}}')
  assert.deepEqual(
    JSON.parse(writeRequest([call, call])).map((request: { id: number }) => request.id),
    [0, 1],
  )
})

test('results are cut out byte for byte', () => {
  const odd = '{ "a" : "\\u0000,\\"result\\":" ,"b":1.0}'
  assert.deepEqual(read(member(0, odd), 1), [odd])
  assert.deepEqual(read(`${member(0, odd)}\n`, 1), [odd])
  assert.deepEqual(read(`[${member(1, '{"b":2}')},${member(0, odd)}]`, 2), [odd, '{"b":2}'])
})

test('the results of a batch are views on the body', () => {
  const body = Buffer.from(new TextEncoder().encode(`[${member(0, '{}')},${member(1, '{"a":1}')}]`).buffer)
  const answers = readAnswers(body, 2)
  assert.ok(Array.isArray(answers))
  for (const answer of answers) assert.ok('result' in answer && answer.result.buffer === body.buffer)
})

test('text that looks like the next member does not split one', () => {
  const tricky = JSON.stringify({ log: `,${member(1, '{}')}` })
  assert.deepEqual(read(`[${member(0, tricky)},${member(1, '{}')}]`, 2), [tricky, '{}'])
})

test('an answer in another form is parsed', () => {
  assert.deepEqual(read('{\n  "jsonrpc": "2.0",\n  "id": 0,\n  "result": {\n    "a": "é"\n  }\n}', 1), ['{"a":"é"}'])
  assert.deepEqual(read('[ {"id":1,"result":{"b":1}}, {"id":0,"result":{"a":1}} ]', 2), ['{"a":1}', '{"b":1}'])
})

test('an error among results stands in its place', () => {
  const answers = read(`[${member(0, '{}')},${failed(1, 'no')}]`, 2)
  assert.deepEqual(answers, ['{}', { code: -32603, message: 'Internal error', data: 'no' }])
})

test('one error for a whole batch is a refusal', () => {
  assert.deepEqual(read('{"jsonrpc":"2.0","id":-1,"error":{"code":-32600,"message":"Invalid Request"}}', 4), { refused: -32600 })
})

test('the error of a single call counts whatever its id is', () => {
  assert.deepEqual(read(failed(-1, 'no'), 1), [{ code: -32603, message: 'Internal error', data: 'no' }])
})

const spoiled: [string, string, number][] = [
  ['nothing', '', 1],
  ['HTML', '<html></html>', 1],
  ['a cut body', member(0, '{"a":1}').slice(0, -3), 1],
  ['a cut batch', `[${member(0, '{}')},${member(1, '{}')}`, 2],
  ['another id', member(7, '{}'), 1],
  ['a huge id', `{"jsonrpc":"2.0","id":98765432109876543210,"result":{}}`, 1],
  ['a missing member', `[${member(0, '{}')}]`, 2],
  ['a repeated member', `[${member(0, '{}')},${member(0, '{}')}]`, 2],
  ['a member too many', `[${member(0, '{}')},${member(1, '{}')},${member(2, '{}')}]`, 2],
  ['an empty batch', '[]', 2],
  ['no result', '{"jsonrpc":"2.0","id":0}', 1],
  ['a result that is no object', '{"jsonrpc":"2.0", "id":0,"result":"text"}', 1],
  ['null', 'null', 1],
]

for (const [name, body, count] of spoiled) {
  test(`${name} is no answer`, () => {
    assert.throws(() => read(body, count), Transient)
  })
}
