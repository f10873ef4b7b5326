import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalBytes } from '../../lib/encoding/bytes.ts'
import { finish } from '../../lib/finish.ts'
import { buildSquare, openSquare } from './build-square.ts'
import { findSquare, type SealedSquare } from './data-hash.ts'
import { listShares, proveInclusion } from './inclusion.ts'
import { layoutSquare } from './layout.ts'
import { verifyRow, verifyShareRange } from './proof.ts'
import { type RecordedBlock, readRecording } from './recorded-blocks.case.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { openWindow } from './shares.ts'
import { toSquareTx } from './square-tx.ts'

function seal({ rawTxs, versionApp, dataHash }: RecordedBlock): SealedSquare {
  return finish(findSquare(rawTxs, { versionApp, dataHash: dataHash.toUpperCase() }, () => false)).sealed!
}

const blocks = [...readRecording('devnet')].filter(({ rawTxs }) => rawTxs.length > 2).slice(0, 8)

test('every tx and blob of a block is proven with the trees that were kept of its square', () => {
  let proven = 0
  for (const block of blocks) {
    const sealed = seal(block)
    const txs = block.rawTxs.map((tx) => toSquareTx(tx, sealed.versionApp))
    const square = buildSquare(txs)
    for (const [tx, { blobs }] of txs.entries())
      for (const blob of [undefined, ...blobs.keys()]) {
        const proof = proveInclusion({ sealed, rawTxs: block.rawTxs }, { tx, blob })!
        const shares = square.bytes.subarray(proof.start * SHARE_SIZE, proof.end * SHARE_SIZE)
        assert.ok(equalBytes(Buffer.concat(listShares(proof)), shares))
        const proofs = proof.rows.map(({ range }) => range)
        const rowRoots = proof.rows.map(({ root }) => root)
        assert.ok(verifyShareRange({ namespace: proof.namespace, shares, proofs, rowRoots, size: proof.size }))
        for (const { row, root, aunts } of proof.rows) {
          const total = 4 * proof.size
          const leafHash = sealed.levels[0]!.subarray(row * 32, (row + 1) * 32)
          assert.ok(verifyRow(Buffer.from(block.dataHash, 'hex'), root, { total, index: row, leafHash, aunts }))
        }
        proven++
      }
  }
  assert.ok(proven > 50)
})

test('other txs than those of the square prove nothing', () => {
  const block = blocks.find(({ rawTxs, versionApp }) => rawTxs.some((tx) => toSquareTx(tx, versionApp).blobs.length > 0))!
  const sealed = seal(block)
  const tx = block.rawTxs.findIndex((raw) => toSquareTx(raw, sealed.versionApp).blobs.length > 0)
  const rawTxs = block.rawTxs.map((raw) => Buffer.from(raw))
  toSquareTx(rawTxs[tx]!, sealed.versionApp).blobs[0]!.data[0]! ^= 1
  assert.ok(proveInclusion({ sealed, rawTxs: block.rawTxs }, { tx, blob: 0 }))
  assert.equal(proveInclusion({ sealed, rawTxs }, { tx, blob: 0 }), undefined)
  assert.equal(proveInclusion({ sealed, rawTxs: rawTxs.slice(0, tx) }, { tx, blob: 0 }), undefined)
  assert.equal(proveInclusion({ sealed, rawTxs: block.rawTxs }, { tx: 10_000 }), undefined)
})

test('a row of a square can be written alone', () => {
  for (const block of blocks) {
    const txs = block.rawTxs.map((tx) => toSquareTx(tx, block.versionApp))
    const layout = layoutSquare(txs)
    const whole = buildSquare(txs, layout)
    const rowBytes = whole.size * SHARE_SIZE
    for (let row = 0; row < whole.size; row++) {
      const window = openWindow(row * whole.size, (row + 1) * whole.size)
      openSquare(txs, layout).write(window)
      const wanted = whole.bytes.subarray(row * rowBytes, (row + 1) * rowBytes)
      assert.ok(equalBytes(window.bytes, wanted), `row ${row} of ${block.height}`)
    }
  }
})
