import { ValidatorSet } from '../src/chain/validator-set.ts'
import { verifyCommit } from '../src/chain/verify-commit.ts'
import { forgeBlock } from '../src/simulation/node/forge.ts'
import { makeSigner, signBlocks } from '../src/simulation/node/sign.ts'
import { printTable } from './harness/measure.ts'

const CHAIN_ID = 'bench'
const ROUNDS = 50

/** What one proof of a block costs: once per block at the tip, once per batch while catching up. */
export async function run(): Promise<void> {
  printTable('CPU time to prove one block', [1, 3, 100].map(measure))
}

function measure(count: number): Record<string, string | number> {
  const signers = Array.from({ length: count }, (_, i) => makeSigner(`validator ${i}`, BigInt(1000 - i)))
  const blocks = [1, 2].map((height) => forgeBlock({ chainId: CHAIN_ID, height, time: '2026-01-01T00:00:00Z' }))
  signBlocks(blocks, { validators: () => signers })
  const { block_id: blockId, signatures } = blocks[1]!.block.block.last_commit
  const commit = { height: 1, round: 0, blockId, signatures: signatures ?? [] }
  const set = ValidatorSet.of(signers)
  return {
    validators: count,
    'votes µs': cpuMicros(() => verifyCommit(commit, CHAIN_ID, set)),
    'set hash after an update µs': cpuMicros(() => set.update([{ publicKey: signers[0]!.publicKey, power: 1n }]).hash),
  }
}

function cpuMicros(work: () => unknown): number {
  work()
  const before = process.cpuUsage()
  for (let i = 0; i < ROUNDS; i++) work()
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / ROUNDS)
}
