import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { PrintedProofOp, ProveState } from './state-trees.ts'

const FILE = 'state-proofs.ndjson.gz'

type Line = { height: number; store?: string; key?: string; proof_ops?: PrintedProofOp[] }

/** The proofs that lie beside recorded blocks, when there are some. They were asked of a node for some heights and keys. */
export function readRecordedProofs(dir: string): ProveState | undefined {
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
