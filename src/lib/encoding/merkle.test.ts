import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { computeMerkleRoot } from './merkle.ts'

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaf = (text: string) => sha256(Buffer.from([0]), Buffer.from(text))
const node = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.from([1]), left, right)
const upper = (digest: Buffer) => digest.toString('hex').toUpperCase()

test('the root of no leaves is the hash of nothing', () => {
  assert.equal(computeMerkleRoot([]), upper(sha256()))
})

test('the left half of a tree is the largest power of two', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((text) => Buffer.from(text))
  const left = node(node(leaf('a'), leaf('b')), node(leaf('c'), leaf('d')))
  assert.equal(computeMerkleRoot(five), upper(node(left, leaf('e'))))
})

test('a leaf longer than the scratch memory is hashed whole', () => {
  const long = 'x'.repeat(5000)
  assert.equal(computeMerkleRoot([Buffer.from(long)]), upper(leaf(long)))
})
