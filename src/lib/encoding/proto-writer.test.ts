import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProtoWriter } from './proto-writer.ts'

const hexOf = (writer: ProtoWriter) => Buffer.from(writer.view).toString('hex')

test('defaults are left out', () => {
  assert.equal(hexOf(new ProtoWriter().integer(1, 0).integer(2, 0n).text(3, '', 'utf8').bytes(4, new Uint8Array())), '')
})

test('integers are varints, negative ones of ten bytes', () => {
  assert.equal(hexOf(new ProtoWriter().integer(1, 300)), '08ac02')
  assert.equal(hexOf(new ProtoWriter().integer(1, -1n)), '08ffffffffffffffffff01')
  assert.equal(hexOf(new ProtoWriter().integer(1, -62135596800)), '088092b8c398feffffff01')
  assert.equal(hexOf(new ProtoWriter().integer(1, 2 ** 40)), '08808080808020')
})

test('an empty message is written, and what follows it stands in its place', () => {
  const writer = new ProtoWriter().message(2, () => {}).message(3, (inner) => inner.integer(1, 5))
  assert.equal(hexOf(writer.text(4, '0aff', 'hex')), '12001a02080522020aff')
})

test('bytes beyond the first memory are kept', () => {
  const long = new Uint8Array(2000).fill(7)
  const writer = new ProtoWriter().integer(1, 1).bytes(2, long)
  assert.equal(hexOf(writer), `080112d00f${'07'.repeat(2000)}`)
})
