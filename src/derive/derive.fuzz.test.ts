import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRawBlock } from '../chain/parse.ts'
import { openRecording, readBlockFile } from '../chain/recording/reader.ts'
import { packagePath } from '../lib/package-path.ts'
import type { ChainBlock, ChainEvent } from '../types/chain.ts'
import { deriveBlock } from './block.ts'

const SEED = 20_261_115

/** mulberry32: the same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const NASTY = [
  '',
  '0',
  '-1',
  '1utia',
  '9'.repeat(300),
  'null',
  '{',
  '[{}]',
  '"',
  '"\\ud800"',
  '{"a":[1',
  '0x',
  '0001-01-01T00:00:00Z',
  '\u0000',
  'celestia1',
  '1-',
  '[null]',
  '{"denom":1}',
  '99999999999999999999',
]

function spoilEvents(events: readonly ChainEvent[], random: () => number): ChainEvent[] {
  return events.flatMap((event) => {
    if (random() < 0.02) return []
    const attributes = event.attributes
      .filter(() => random() > 0.03)
      .map(([key, value]): [string, string] => [key, random() < 0.1 ? NASTY[Math.floor(random() * NASTY.length)]! : value])
    return [{ type: event.type, attributes }]
  })
}

function spoilBytes(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  for (let i = 0; i < 4; i++) copy[Math.floor(random() * Math.min(copy.length, 600))] = Math.floor(random() * 256)
  return random() < 0.2 ? copy.subarray(0, Math.floor(random() * copy.length)) : copy
}

test(`nothing that a block may contain stops it from being read (SEED=${SEED})`, async () => {
  const recording = await openRecording(packagePath('data/recordings/devnet'))
  const random = numbers(SEED)
  let derived = 0
  for (const file of recording.files.slice(0, 3)) {
    for await (const chunk of readBlockFile(recording, file, { from: 1, to: recording.manifest.to, chunkBytes: 1 << 20 })) {
      for (const raw of chunk) {
        const block: ChainBlock = parseRawBlock(raw, { chainId: recording.manifest.chain_id })
        const events = spoilEvents(block.events, random)
        const facts = deriveBlock({
          ...block,
          events,
          beginEventsCount: Math.min(block.beginEventsCount, events.length),
          txs: block.txs.map((tx) => (random() < 0.5 ? spoilBytes(tx, random) : tx)),
          txResults: block.txResults.map((result) => ({ ...result, events: spoilEvents(result.events, random) })),
        })
        assert.equal(facts.txs.length, block.txs.length)
        derived++
      }
    }
  }
  assert.equal(derived, 300)
})
