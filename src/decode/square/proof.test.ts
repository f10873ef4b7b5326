import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../lib/encoding/bytes.ts'
import { buildSquare } from './build-square.ts'
import { type AxisRoots, computeAxisRoots, computeDataRoot, rowOf } from './data-root.ts'
import { layoutSquare } from './layout.ts'
import { computeMerkleRoot } from './merkle.ts'
import { proveRow, proveShareRange, verifyRow, verifyShareRange } from './proof.ts'
import { listSquareTxs, type RecordedBlock, readRecording } from './recorded-blocks.case.ts'
import { SHARE_SIZE } from './share-counts.ts'
import { growTrees, type SquareTrees } from './square-trees.ts'

const SEED = 7
const PICKED = 20

/** Small linear generator: the same blocks every time, others with another seed. */
function pickBlocks(): RecordedBlock[] {
  const candidates = [...readRecording('devnet')].filter((block) => listSquareTxs(block).some((tx) => tx.kind === 'blob'))
  const picked: RecordedBlock[] = []
  for (let state = SEED; picked.length < PICKED; ) {
    state = (state * 1103515245 + 12345) % 2 ** 31
    picked.push(...candidates.splice(state % candidates.length, 1))
  }
  return picked
}

type Claim = Parameters<typeof verifyShareRange>[0]

/** Every blob of the block with a proof of its shares. */
function* claimBlobs(block: RecordedBlock): Generator<{ claim: Claim; roots: AxisRoots; trees: SquareTrees; firstRow: number }> {
  const txs = listSquareTxs(block)
  const layout = layoutSquare(txs)
  const square = buildSquare(txs, layout)
  const roots = computeAxisRoots({ ...square, bytes: square.bytes.slice() })
  const trees = growTrees(square.size, roots)
  for (const { namespace, start, shares } of layout.blobs) {
    const proofs = proveShareRange((row) => rowOf(square, row), trees, { start, end: start + shares })!.ranges
    const firstRow = Math.floor(start / square.size)
    const rowRoots = roots.rows.slice(firstRow, firstRow + proofs.length)
    const bytes = square.bytes.slice(start * SHARE_SIZE, (start + shares) * SHARE_SIZE)
    yield { claim: { namespace, shares: bytes, proofs, rowRoots, size: square.size }, roots, trees, firstRow }
  }
}

test(`every blob of ${PICKED} blocks (seed ${SEED}) is proven up to the data root of its header`, () => {
  let severalRows = 0
  for (const block of pickBlocks()) {
    const dataRoot = Buffer.from(block.dataHash, 'hex')
    for (const { claim, trees, firstRow } of claimBlobs(block)) {
      assert.ok(verifyShareRange(claim), `block ${block.height}`)
      for (const [i, rowRoot] of claim.rowRoots.entries()) {
        assert.ok(verifyRow(dataRoot, rowRoot, proveRow(trees, firstRow + i)), `row of block ${block.height}`)
      }
      if (claim.proofs.length > 1) severalRows++
    }
  }
  assert.ok(severalRows > 10, `${severalRows} blobs over several rows`)
})

test('a proof is refused when share, namespace, node, range or row root is another one', () => {
  const [block] = pickBlocks()
  let checked = 0
  for (const { claim, roots, trees, firstRow } of claimBlobs(block!)) {
    const [proof, ...others] = claim.proofs
    const { start, end, nodes } = proof!
    const share = claim.shares.slice()
    share[40]! ^= 1
    const namespace = claim.namespace.slice()
    namespace[28]! ^= 1
    const node = nodes[0]!.slice()
    node[89]! ^= 1
    const tampered: Record<string, Partial<Claim>> = {
      share: { shares: share },
      'missing share': { shares: claim.shares.subarray(SHARE_SIZE) },
      'added share': { shares: Buffer.concat([claim.shares, claim.shares.subarray(0, SHARE_SIZE)]) },
      namespace: { namespace },
      node: { proofs: [{ start, end, nodes: [node, ...nodes.slice(1)] }, ...others] },
      'short node': { proofs: [{ start, end, nodes: [nodes[0]!.subarray(1), ...nodes.slice(1)] }, ...others] },
      'missing node': { proofs: [{ start, end, nodes: nodes.slice(1) }, ...others] },
      'added node': { proofs: [{ start, end, nodes: [...nodes, node] }, ...others] },
      'moved range': { proofs: [{ start: start + 1, end: end + 1, nodes }, ...others] },
      'empty range': { proofs: [{ start, end: start, nodes }, ...others] },
      'row root': { rowRoots: [roots.rows.at(-1)!, ...claim.rowRoots.slice(1)] },
      'no rows': { rowRoots: [], proofs: [] },
    }
    for (const [what, change] of Object.entries(tampered)) assert.equal(verifyShareRange({ ...claim, ...change }), false, what)

    const dataRoot = Buffer.from(block!.dataHash, 'hex')
    const rowProof = proveRow(trees, firstRow)
    const rowRoot = claim.rowRoots[0]!
    assert.equal(verifyRow(dataRoot, roots.rows[firstRow + 1]!, rowProof), false, 'root of another row')
    assert.equal(verifyRow(dataRoot, rowRoot, { ...rowProof, index: rowProof.index ^ 1 }), false, 'index')
    assert.equal(verifyRow(dataRoot, rowRoot, { ...rowProof, total: rowProof.total + 1 }), false, 'total')
    assert.equal(verifyRow(dataRoot, rowRoot, { ...rowProof, aunts: rowProof.aunts.slice(1) }), false, 'missing aunt')
    assert.equal(
      verifyRow(dataRoot, rowRoot, { ...rowProof, aunts: [...rowProof.aunts, rowRoot.slice(0, 32)] }),
      false,
      'added aunt',
    )
    checked++
  }
  assert.ok(checked > 0)
})

test('the row proof of a 1 x 1 square is a proof of the whole share', () => {
  const square = buildSquare([])
  const roots = computeAxisRoots({ ...square, bytes: square.bytes.slice() })
  const trees = growTrees(1, roots)
  const [proof] = proveShareRange(() => square.bytes, trees, { start: 0, end: 1 })!.ranges
  assert.deepEqual([proof!.start, proof!.end, proof!.nodes.length], [0, 1, 1])
  const dataRoot = computeDataRoot(square)
  const namespace = square.bytes.subarray(0, 29)
  assert.ok(verifyShareRange({ namespace, shares: square.bytes, proofs: [proof!], rowRoots: [roots.rows[0]!], size: 1 }))
  assert.ok(verifyRow(dataRoot, roots.rows[0]!, proveRow(trees, 0)))
  assert.equal(toHex(dataRoot), toHex(computeMerkleRoot([...roots.rows, ...roots.columns])))
})
