import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlock, anAccount, aSend } from '../../../test/builders.ts'
import { deriveBlock } from '../../derive/block.ts'
import { toOdsAnswer } from './ods.ts'

const alice = anAccount('alice')

test('the map of an empty block is one share of padding, also where the node gives it no side', () => {
  const empty = {
    width: 1,
    items: [{ from: [0, 0], to: [0, 0], namespace: '//////////////////////////////////////4=', type: 'tail_padding' }],
  }
  const { ods } = deriveBlock(aBlock(5))
  assert.deepEqual(toOdsAnswer(0, ods), empty)
  assert.deepEqual(toOdsAnswer(1, ods), empty)
})

test('the side of a map is that of its shares, whatever the node said', () => {
  const { ods } = deriveBlock(aBlock(5, { txs: [aSend(alice.text, alice.text, 1n, { memo: 'm'.repeat(250) })] }))
  assert.deepEqual(toOdsAnswer(64, ods), toOdsAnswer(2, ods))
  assert.equal(toOdsAnswer(64, ods).width, 2)
})

test('genesis has no square', () => {
  assert.deepEqual(toOdsAnswer(0, new Uint8Array(0)), { width: 0, items: [] })
})
