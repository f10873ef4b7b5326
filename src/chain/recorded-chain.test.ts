import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { packagePath } from '../lib/package-path.ts'
import { type ParsedBlock, parseRawBlock } from './parse.ts'
import { openRecording, readBlockFile } from './recording/reader.ts'

const ROOT = packagePath('data/recordings')

for (const name of readdirSync(ROOT)) {
  // Parsing recomputes header and commit hashes, so that each block counts as a vector for them.
  test(`every block of ${name} has the hashes that its own header and the next one seal`, async () => {
    const recording = await openRecording(join(ROOT, name))
    const { chain_id: chainId, to, txs } = recording.manifest
    let previous: ParsedBlock | undefined
    let txCount = 0
    for (const file of recording.files) {
      for await (const chunk of readBlockFile(recording, file, { from: 1, to, chunkBytes: 1 << 20 })) {
        for (const raw of chunk) {
          const block = parseRawBlock(raw, { chainId })
          assert.equal(block.parentHash, previous?.hash ?? '')
          assert.equal(block.hashes.last_results_hash, previous?.resultsHash ?? block.hashes.last_results_hash)
          assert.equal(block.txs.length, block.txResults.length)
          txCount += block.txs.length
          previous = block
        }
      }
    }
    assert.equal(previous?.height, to)
    assert.equal(txCount, txs)
  })
}
