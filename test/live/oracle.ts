import assert from 'node:assert/strict'
import type { RawBlock } from '../../src/chain/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { loadRollups } from '../../src/store/rollups/edit-rollups.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { SCHEMA } from '../support/templates.ts'
import { startIndexer, startNode } from './stack.ts'

export type Digest = Record<string, string>

/** Fails with the tables that differ and what they hold. */
export function assertSameTables(actual: Digest, expected: Digest): void {
  const names = [...new Set([...Object.keys(actual), ...Object.keys(expected)])].filter((name) => actual[name] !== expected[name])
  const pick = (digest: Digest) => Object.fromEntries(names.map((name) => [name, digest[name]]))
  assert.deepEqual(pick(actual), pick(expected))
}

const recordings = new Map<string, Promise<Digest>>()

/** Tables of a run that nothing disturbed, over a recording; files that share a process index it once. */
export function digestRecording(recording: string): Promise<Digest> {
  const digest = recordings.get(recording) ?? digestUndisturbed(recording)
  recordings.set(recording, digest)
  return digest
}

/** Tables of a run that nothing disturbed, over a recording whose end is replaced by `branch`. */
export async function digestUndisturbed(recording: string, branch: readonly RawBlock[] = []): Promise<Digest> {
  const url = await freshDatabase()
  if (recording === 'devnet') await loadRollups(url, SCHEMA, packagePath('data/recordings/devnet/rollups.json'))
  const node = await startNode({ recording })
  if (branch.length > 0) {
    node.fork(branch)
    node.setHeight(branch.at(-1)!.height)
  }
  await startIndexer(url, [node], { follow: false, announce: false }).ended
  await node.close()
  return digestOf(url)
}
