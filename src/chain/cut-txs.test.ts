import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NodeFault } from '../lib/errors.ts'
import { forgeBlock, toRawBlock } from '../simulation/node/forge.ts'
import { cutTxs, TXS_CUT } from './cut-txs.ts'
import { parseRawBlock } from './parse.ts'

const CHAIN = { chainId: 'forged-1' }
/** One, two and no characters of padding, and a tx without bytes. */
const txs = [100_000, 50_000, 29_999, 0, 3].map((size) => Uint8Array.from({ length: size }, (_, i) => (i * 7 + size) % 256))
const raw = toRawBlock(forgeBlock({ ...CHAIN, height: 7, time: '2026-11-15T02:25:24Z', txs }))
const printed = Buffer.from(raw.block).toString()

const parse = (block: string) => parseRawBlock({ ...raw, block: Buffer.from(block) }, CHAIN)
const cut = (block: string) => cutTxs(Buffer.from(block))
/** Result of the JSON parser alone: an answer with spaces is never cut. */
const whole = parse(JSON.stringify(JSON.parse(printed), null, 1))
const isFault = (code: string) => (error: unknown) => error instanceof NodeFault && error.code === code

test('a large answer is read the same with its txs cut out and parsed as a whole', () => {
  const parts = cut(printed)!
  assert.equal(parts.txs.length, txs.length)
  assert.equal(JSON.parse(parts.text).block.data.txs, TXS_CUT)
  assert.ok(parts.text.length < 5000)
  assert.deepEqual(parse(printed), whole)
  assert.deepEqual(whole.txs, txs)
})

test('an answer that is small, printed with spaces or escapes, or ends too early is not cut', () => {
  const small = toRawBlock(forgeBlock({ ...CHAIN, height: 7, time: '2026-11-15T02:25:24Z', txs: [new Uint8Array(3)] }))
  assert.equal(cutTxs(Buffer.from(small.block)), undefined)
  assert.equal(cut(JSON.stringify(JSON.parse(printed), null, 1)), undefined)
  const escaped = printed.replaceAll('/', '\\/')
  assert.notEqual(escaped, printed)
  assert.equal(cut(escaped), undefined)
  assert.deepEqual(parse(escaped), whole)
  assert.equal(cut(printed.slice(0, 90_000)), undefined)
  assert.throws(() => parse(printed.slice(0, 90_000)), isFault('not_json'))
})

test('a list that is not JSON is a fault of the node', () => {
  for (const wrong of ['"txs":["AQID",,', '"txs":[,', '"txs":[1"AQID",', '"txs":["AQID" ']) {
    assert.throws(() => parse(printed.replace('"txs":[', wrong)), isFault('not_json'), wrong)
  }
  assert.throws(() => parse(printed.replace('"]', '",]')), isFault('not_json'))
  assert.throws(() => parse(printed.replace('"txs":["', '"txs":["!!!!')), isFault('bad_field'))
  const late = printed.indexOf('"txs":["') + 100_000
  assert.throws(() => parse(`${printed.slice(0, late)}!${printed.slice(late + 1)}`), isFault('bad_field'))
})

test('txs are only taken from where they belong', () => {
  const elsewhere = printed.replace('{', '{"other":{"data":{"txs":["AQID"]}},')
  assert.equal(cut(elsewhere)!.txs.length, 1)
  assert.deepEqual(parse(elsewhere), whole)
  const inKey = printed.replace('{', '{"a\\"data":{"txs":["AQID"]},')
  assert.deepEqual(parse(inKey), whole)
  const twice = printed.replace('"data":{"txs":[', '"data":{"txs":["AQID"],"txs":[')
  assert.deepEqual(parse(twice), whole)
})
