import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const recordings = fileURLToPath(new URL('../../data/recordings/', import.meta.url))

export type RecordedTx = { height: number; position: number; bytes: Uint8Array; code: number }

/** Txs of a bundled recording in chain order, read without any of our own code so that decoding can be tested on its own. */
export function readRecordedTxs(chain: string): RecordedTx[] {
  const txs: RecordedTx[] = []
  for (const file of readdirSync(join(recordings, chain)).sort()) {
    if (!file.startsWith('blocks-')) continue
    for (const line of gunzipSync(readFileSync(join(recordings, chain, file)))
      .toString('utf8')
      .split('\n')) {
      if (line === '') continue
      const { height, block, block_results } = JSON.parse(line)
      for (const [position, text] of (block.block.data.txs ?? []).entries()) {
        txs.push({ height, position, bytes: Buffer.from(text, 'base64'), code: block_results.txs_results[position].code ?? 0 })
      }
    }
  }
  return txs
}

export function readRecordedGenesis(chain: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(join(recordings, chain, 'genesis.json.gz'))).toString('utf8'))
}

/** Numbers in [0, 1) that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** A copy with a few bytes changed, cut out, doubled or cut off. */
export function mutateBytes(bytes: Uint8Array, random: () => number): Uint8Array {
  let out = Buffer.from(bytes)
  const changes = 1 + Math.floor(random() * 4)
  for (let i = 0; i < changes && out.length > 0; i++) {
    const at = Math.floor(random() * out.length)
    const kind = random()
    if (kind < 0.5) out[at] = Math.floor(random() * 256)
    else if (kind < 0.65) out[at] = 0xff
    else if (kind < 0.75) out = out.subarray(0, at)
    else if (kind < 0.9)
      out = Buffer.concat([out.subarray(0, at), out.subarray(Math.min(out.length, at + 1 + Math.floor(random() * 8)))])
    else out = Buffer.concat([out.subarray(0, at), out.subarray(Math.max(0, at - 32))])
  }
  return out
}
