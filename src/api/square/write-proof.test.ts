import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlob, anAccount, aPayForBlobs } from '../../../test/builders.ts'
import { buildSquare } from '../../decode/square/build-square.ts'
import { findSquare } from '../../decode/square/data-hash.ts'
import { computeDataRoot } from '../../decode/square/data-root.ts'
import { proveInclusion } from '../../decode/square/inclusion.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { toHexUpper } from '../../lib/encoding/bytes.ts'
import { finish } from '../../lib/finish.ts'
import { WrittenAnswer, writeJson } from '../http/write-json.ts'
import { toShareProof } from '../view/proof.ts'
import { writeShareProof } from './write-proof.ts'

const VERSION = 9

test('a proof of many shares is written as the value would be, and no digest stands for two of them', () => {
  const data = Buffer.from(Array.from({ length: 1_100_000 }, (_, i) => (i * i) >> 3))
  const txs = ['a', 'b'].map((name) => aPayForBlobs(anAccount('alice').text, [aBlob(name, data)]).bytes)
  const dataHash = toHexUpper(computeDataRoot(buildSquare(txs.map((tx) => toSquareTx(tx, VERSION)))))
  const { sealed } = finish(findSquare(txs, { versionApp: VERSION, dataHash }, () => false))
  const block = { height: 7, hash: 'ab', bytes: 0, dataHash, versionApp: VERSION }
  const digests = txs.map((_, tx) => {
    const proof = proveInclusion({ sealed: sealed!, rawTxs: txs, areSealed: true }, { tx, blob: 0 })!
    assert.ok(proof.end - proof.start > 2048, 'several pieces')
    assert.deepEqual(proof.rows, proveInclusion({ sealed: sealed!, rawTxs: txs }, { tx, blob: 0 })!.rows)
    const written = writeShareProof(block, proof)
    const value = toShareProof(block, proof)
    assert.deepEqual(JSON.parse(Buffer.from(written.bytes).toString()), value)
    assert.deepEqual(JSON.parse(writeJson({ proof: new WrittenAnswer(written) })), { proof: value })
    return written.digest
  })
  assert.notEqual(digests[0], digests[1])
})
