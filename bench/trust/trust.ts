import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { packagePath } from '../../src/lib/package-path.ts'
import { answerOf } from '../harness/answer-of.ts'
import { forkIndexer } from '../harness/fork-indexer.ts'
import { printTable } from '../harness/measure.ts'
import { forkReplayNode } from '../ingest/ingest-run.ts'
import type { TrustRun, TrustStage } from './trust-indexer-process.ts'

/** Of `indexing.prove_state`. */
const DEFAULT_SAMPLE = 8
const BULK_BLOCKS = 4_969
const TIP_BLOCKS = 60
/** The node makes blocks while the indexer catches up. */
const ROOM = 200

/**
 * What proofs of state cost, in turns with and without them: a recording whose node has no proofs, and a chain of the main network's shape whose
 * node has. Then what it costs to verify the txs of that chain in the background, and to prove all records. Arguments: turns (3), blocks of the chain (300).
 */
export async function run(args: string[]): Promise<void> {
  const [turns, blocks] = [Number(args[0] ?? 3), Number(args[1] ?? 300)]
  const bulk = packagePath('../shared/chain/bulk')
  if (existsSync(bulk)) {
    const node = await forkReplayNode(bulk)
    const rows = []
    for (let turn = 1; turn <= turns; turn++)
      for (const sample of [0, DEFAULT_SAMPLE]) {
        const { caughtUp } = await runIndexer([node.url, sample, BULK_BLOCKS, 0, false])
        rows.push(toRow(turn, sample, 'bulk, catching up', caughtUp))
      }
    node.stop()
    printTable('a node without proofs', rows)
  }
  const node = fork(new URL('./trust-node-process.js', import.meta.url), [String(blocks + ROOM)], {
    execArgv: ['--max-old-space-size=4096'],
  })
  const { url } = await answerOf<{ url: string }>(node)
  const rows = []
  for (let turn = 1; turn <= turns; turn++)
    for (const sample of [0, DEFAULT_SAMPLE]) {
      node.send({ height: blocks, isMoving: true })
      const { caughtUp, followed } = await runIndexer([url, sample, blocks, TIP_BLOCKS, false])
      rows.push(toRow(turn, sample, 'catching up', caughtUp), toRow(turn, sample, 'at the tip', followed!))
    }
  // The header above the last block that is indexed has the root of its state.
  node.send({ height: blocks + 1, isMoving: false })
  const { verified, proved } = await runIndexer([url, 0, blocks, 0, true])
  rows.push(toRow(turns, 0, 'every record proven', proved!), toRow(turns, 0, 'txs in the background', verified!))
  node.disconnect()
  printTable('a node with proofs, blocks of the main network’s shape', rows)
}

const runIndexer = (args: (string | number | boolean)[]) =>
  forkIndexer<TrustRun>('trust/trust-indexer-process.js', args.map(String))

function toRow(turn: number, sample: number, stage: string, { count, seconds, cpu, requests, proven }: TrustStage) {
  const each = (value: number) => (value / count).toFixed(2)
  return {
    turn,
    stage,
    prove_state: sample,
    count,
    'per second': (count / seconds).toFixed(1),
    'CPU ms each': ((cpu * 1000) / count).toFixed(2),
    'records each': each(proven),
    'requests each': Object.entries(requests)
      .map(([method, asked]) => `${method} ${each(asked)}`)
      .join(', '),
  }
}
