import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRecording, readBlockFile, readGenesis } from '../../chain/recording/reader.ts'
import type { RawBlock } from '../../chain/source.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { PrintedProofOp, ProveState } from '../state/state-trees.ts'

/** The blocks that a replay node has; all stay in memory once they were asked for. */
export type ReplayChain = {
  readonly chainId: string
  readonly first: number
  last(): number
  genesis(): Promise<Uint8Array>
  block(height: number): Promise<RawBlock | undefined>
  /** Proofs of the state after a height; absent where nobody has any. */
  readonly proveState?: ProveState
  /** `blocks` take the place of everything from the height of the first one on. */
  replaceFrom(blocks: readonly RawBlock[]): void
}

export async function openReplayChain(dir: string): Promise<ReplayChain> {
  const recording = await openRecording(dir)
  const { manifest, files } = recording
  const known = new Map<number, RawBlock>()
  const loading = new Map<string, Promise<void>>()
  const proveState = readRecordedProofs(dir)
  let recordedTo = manifest.to
  let last = manifest.to

  async function load(name: string): Promise<void> {
    const file = files.find((entry) => entry.name === name)!
    const range = { from: file.from, to: file.to, chunkBytes: 4 * 1024 * 1024 }
    for await (const chunk of readBlockFile(recording, file, range)) {
      for (const raw of chunk) if (raw.height <= recordedTo) known.set(raw.height, raw)
    }
  }

  return {
    chainId: manifest.chain_id,
    first: manifest.from,
    last: () => last,
    genesis: () => readGenesis(recording),
    ...(proveState && { proveState }),
    async block(height) {
      const file = height <= recordedTo && files.find((entry) => entry.from <= height && height <= entry.to)
      if (file && !known.has(height)) {
        if (!loading.has(file.name)) loading.set(file.name, load(file.name))
        await loading.get(file.name)
      }
      return known.get(height)
    },
    replaceFrom(blocks) {
      const from = checkConsecutive(blocks)
      recordedTo = Math.min(recordedTo, from - 1)
      last = replaceBlocks(known, last, blocks)
    },
  }
}

/** A chain of forged blocks. */
export function createReplayChain(
  chainId: string,
  genesis: Uint8Array,
  blocks: readonly RawBlock[],
  proveState?: ProveState,
): ReplayChain {
  const known = new Map<number, RawBlock>()
  const first = checkConsecutive(blocks)
  let last = replaceBlocks(known, 0, blocks)
  return {
    chainId,
    first,
    last: () => last,
    genesis: async () => genesis,
    ...(proveState && { proveState }),
    block: async (height) => known.get(height),
    replaceFrom(branch) {
      checkConsecutive(branch)
      last = replaceBlocks(known, last, branch)
    },
  }
}

function replaceBlocks(known: Map<number, RawBlock>, last: number, blocks: readonly RawBlock[]): number {
  const from = blocks[0]!.height
  for (let height = from; height <= last; height++) known.delete(height)
  for (const raw of blocks) known.set(raw.height, raw)
  return from + blocks.length - 1
}

function checkConsecutive(blocks: readonly RawBlock[]): number {
  const from = blocks[0]?.height
  if (from === undefined || blocks.some((raw, i) => raw.height !== from + i)) {
    throw new OperatorError('bad_replay', 'a replay node takes one or more blocks of consecutive heights')
  }
  return from
}

const FILE = 'state-proofs.ndjson.gz'

type Line = { height: number; store?: string; key?: string; proof_ops?: PrintedProofOp[] }

/** The proofs that lie beside recorded blocks, when there are some. They were asked of a node for some heights and keys. */
function readRecordedProofs(dir: string): ProveState | undefined {
  const path = join(dir, FILE)
  if (!existsSync(path)) return undefined
  const proofs = new Map<string, PrintedProofOp[]>()
  for (const text of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) {
    if (text === '') continue
    const { height, store, key, proof_ops: ops } = JSON.parse(text) as Line
    if (ops) proofs.set(`${height}/${store}/${key}`, ops)
  }
  return (height, store, key) => proofs.get(`${height}/${store}/${Buffer.from(key).toString('hex')}`)
}
