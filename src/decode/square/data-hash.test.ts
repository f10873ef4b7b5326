import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlob, anAccount, aPayForBlobs } from '../../../test/builders.ts'
import { fromHex, toHexUpper } from '../../lib/encoding/bytes.ts'
import { buildSquare } from './build-square.ts'
import { matchesDataHash } from './data-hash.ts'
import { computeDataRoot } from './data-root.ts'
import { toSquareTx } from './square-tx.ts'

const alice = anAccount('alice')
// With its signer the first blob has two shares, without one it would fit into one.
const authored = { ...aBlob('a', new Uint8Array(470).fill(7)), shareVersion: 1, signer: fromHex(alice.hex)! }
const txs = [aPayForBlobs(alice.text, [authored, aBlob('b', 'behind it')]).bytes]
const rootBy = (versionApp: number) => toHexUpper(computeDataRoot(buildSquare(txs.map((tx) => toSquareTx(tx, versionApp)))))

test('squares of apps that counted no signers have another root', () => {
  assert.notEqual(rootBy(5), rootBy(6))
  assert.equal(rootBy(3), rootBy(5))
  assert.equal(rootBy(6), rootBy(9))
})

test('before the signer counted, either root seals a block; since then only one', () => {
  for (const versionApp of [3, 5]) {
    assert.equal(matchesDataHash(txs, versionApp, rootBy(5)), true)
    assert.equal(matchesDataHash(txs, versionApp, rootBy(6)), true)
  }
  assert.equal(matchesDataHash(txs, 6, rootBy(6)), true)
  assert.equal(matchesDataHash(txs, 6, rootBy(5)), false)
  assert.equal(matchesDataHash([], 5, rootBy(5)), false)
})
