import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { NAMESPACE_SIZE, PARITY_NAMESPACE } from '../namespaces.ts'
import { foldToNmtRoot, NODE_SIZE, writeLeafNodes } from '../nmt.ts'
import { SHARE_SIZE } from '../share-counts.ts'

const sha256 = (...parts: Uint8Array[]) => Buffer.from(hash('sha256', Buffer.concat(parts), 'hex'), 'hex')
const fill = (length: number, seed: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 2654435761 + seed * 40503) >>> 13))

for (const count of [1, 2, 3, 4, 5, 8, 255, 256, 257, 600]) {
  test(`the leaf nodes of ${count} shares hold what OpenSSL makes of them, and nothing behind them is written`, () => {
    const namespace = fill(NAMESPACE_SIZE, count)
    const shares = fill(count * SHARE_SIZE, count)
    const nodes = Buffer.alloc((count + 4) * NODE_SIZE, 9)
    writeLeafNodes(nodes, 0, namespace, shares)
    for (let i = 0; i < count; i++) {
      const share = shares.subarray(i * SHARE_SIZE, (i + 1) * SHARE_SIZE)
      const expected = Buffer.concat([namespace, namespace, sha256(Uint8Array.of(0), namespace, share)])
      assert.deepEqual(nodes.subarray(i * NODE_SIZE, (i + 1) * NODE_SIZE), expected, `leaf ${i}`)
    }
    assert.ok(nodes.subarray(count * NODE_SIZE).every((byte) => byte === 9))
  })
}

/** By the definition of the tree, a node at a time. */
function foldSlowly(nodes: Buffer): Buffer {
  if (nodes.length === NODE_SIZE) return nodes
  const [left, right] = [foldSlowly(nodes.subarray(0, nodes.length / 2)), foldSlowly(nodes.subarray(nodes.length / 2))]
  const minOf = (node: Buffer) => node.subarray(0, NAMESPACE_SIZE)
  const maxOf = (node: Buffer) => node.subarray(NAMESPACE_SIZE, 2 * NAMESPACE_SIZE)
  const isParity = (node: Buffer) => minOf(node).equals(PARITY_NAMESPACE)
  const max = isParity(right) && !isParity(left) ? maxOf(left) : maxOf(right)
  return Buffer.concat([minOf(left), max, sha256(Uint8Array.of(1), left, right)])
}

for (const leaves of [1, 2, 4, 8, 64, 512]) {
  for (const parityFrom of [0, leaves / 2, leaves - 1, leaves]) {
    test(`the root over ${leaves} leaves, parity from ${parityFrom}, is the one of the definition`, () => {
      const nodes = fill(leaves * NODE_SIZE, leaves)
      for (let i = Math.ceil(parityFrom); i < leaves; i++) {
        nodes.set(PARITY_NAMESPACE, i * NODE_SIZE)
        nodes.set(PARITY_NAMESPACE, i * NODE_SIZE + NAMESPACE_SIZE)
      }
      // One byte off is not parity.
      if (parityFrom > 0) nodes.fill(255, 0, NAMESPACE_SIZE - 1)
      assert.deepEqual(Buffer.from(foldToNmtRoot(nodes)), foldSlowly(nodes))
    })
  }
}
