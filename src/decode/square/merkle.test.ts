import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { buildMerkleLevels, computeMerkleRoot, proveLeaf, verifyLeaf } from './merkle.ts'

const makeLeaves = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => Uint8Array.of(i, i + 1))

test('no leaf hashes to the hash of nothing', () => {
  assert.equal(toHex(computeMerkleRoot([])), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('each leaf of a tree of any size is proven, and no other leaf with its proof', () => {
  for (let count = 1; count <= 17; count++) {
    const leaves = makeLeaves(count)
    const root = computeMerkleRoot(leaves)
    for (let index = 0; index < count; index++) {
      const proof = proveLeaf(buildMerkleLevels(leaves), index)
      assert.ok(verifyLeaf(root, leaves[index]!, proof), `${index} of ${count}`)
      assert.equal(verifyLeaf(root, Uint8Array.of(99), proof), false)
      if (count > 1) assert.equal(verifyLeaf(root, leaves[(index + 1) % count]!, { ...proof, index: (index + 1) % count }), false)
    }
  }
})
