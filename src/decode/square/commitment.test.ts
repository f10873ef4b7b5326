import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromHex, toHex } from '../../lib/encoding/bytes.ts'
import { computeCommitment } from './commitment.ts'
import { listSquareTxs, RECORDINGS, readRecording, readSignedCommitments } from './recorded-blocks.case.ts'
import { countBlobShares, getSubtreeWidth } from './share-counts.ts'

const namespace = fromHex('000000000000000000000000000000000000000102030405060708090a')!
const signer = Uint8Array.from({ length: 20 }, (_, i) => i)

const VECTORS: [size: number, shareVersion: number, shares: number, width: number, commitment: string][] = [
  [1, 0, 1, 1, 'c69b9699c24647c891949713909002bc8d4c6442c797511358c4e0174e439322'],
  [457, 0, 1, 1, '087f8ba20a061e0cc71739a587d3304f1776d79f83d389c942964e93c31c28b7'],
  [478, 0, 1, 1, '0b43605c9a96f9dd1e65a6ef5e632790f967a953ed52ea6e4fa3eb3b613e776d'],
  [479, 0, 2, 1, '1d70bbc18ea6979444d58c6c5b3d797b4d0c0961aa9cc35fa74cdc2f6e131b1f'],
  [1000, 0, 3, 1, '89d68d889b4224d61c63b75f4a419d4713010b0f7b04a1622170260407bc4913'],
  [30844, 0, 64, 1, '22fe80523e66d6808481811d6ba14d2b162704cbc8d6e5fcbe4fe942733dcc38'],
  [31326, 0, 65, 2, 'b1ef712ddd76b39614d8ba30d57b99e0666b2f77342cbb93b7e0906526d93f0b'],
  [100000, 0, 208, 4, '377d06f83dd09566749517b44f9eedd9c6ec14989974df40c31c0e3c9ea00f08'],
  [1000000, 0, 2075, 64, 'caecf2d794d21857772574f426b92ee2ef1fe43b93442f25dace0c5343e67209'],
  [457, 1, 1, 1, '56c5e4964c90dd09401dffae9e8719922ddcbbf8f64e1af70e932239989293f4'],
  [458, 1, 1, 1, '3b5650d206efd9e5360a1575b2f4d8705c59faa0866278ff2370a154fd1b7f80'],
  [459, 1, 2, 1, '246022f227d669570f5c7ab92554e96874b89d0f14b722572f60a08714adcc0d'],
  [100000, 1, 208, 4, '6a6316161e5faa0b8a9fa3d9b52a55fdc7beccc55e6279946ff97ada27d07214'],
]

for (const [size, shareVersion, shares, width, commitment] of VECTORS) {
  test(`a blob of ${size} bytes and share version ${shareVersion} has its known shares, width and commitment`, () => {
    const data = Uint8Array.from({ length: size }, (_, i) => i % 251)
    assert.equal(countBlobShares(size, shareVersion), shares)
    assert.equal(getSubtreeWidth(shares), width)
    assert.equal(toHex(computeCommitment({ namespace, data, shareVersion, signer })), commitment)
  })
}

for (const name of RECORDINGS) {
  test(`every blob of ${name} has the commitment its PFB signed`, () => {
    let blobs = 0
    for (const block of readRecording(name)) {
      for (const [position, tx] of listSquareTxs(block).entries()) {
        if (tx.kind !== 'blob') continue
        const signed = readSignedCommitments(block.rawTxs[position]!).map(toHex)
        const computed = tx.blobs.map((blob) => toHex(computeCommitment(blob)))
        assert.deepEqual(computed, signed, `tx ${position} of block ${block.height}`)
        blobs += computed.length
      }
    }
    assert.ok(blobs > 100, `${blobs} blobs`)
  })
}
