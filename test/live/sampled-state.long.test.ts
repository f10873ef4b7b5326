import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import type { Claim } from '../../src/chain/state/prove.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { StateProver, StateRefuted } from '../../src/pipeline/verify/state-prover.ts'
import { StateTrees } from '../../src/simulation/state/state-trees.ts'
import { anAccount } from '../builders.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { makeProvableChain } from './provable-chain.ts'
import { SEED } from './stack.ts'

const RUNS = 200
const RECORDS = 40
const SAMPLE = 8
/** Coins go from one account to another: at least two records are false. */
const FALSE_RECORDS = 2

/** Chance that none of `wrong` among `all` records is in a sample. */
function missChance(all: number, wrong: number, sample: number): number {
  let chance = 1
  for (let i = 0; i < sample; i++) chance *= (all - wrong - i) / (all - i)
  return chance
}

test(`a sample of ${SAMPLE} misses as often as it should, and never what modules have (seed ${SEED})`, async (t) => {
  const trees = new StateTrees()
  const claims = Array.from({ length: RECORDS }, (_, i): Claim => {
    const record = { kind: 'balance' as const, address: anAccount(`holder ${i}`).hex, denom: 'utia' }
    trees.set(record, { amount: BigInt(1000 + i) })
    return { record, value: { amount: BigInt(1000 + i) } }
  })
  const appHash = trees.commit(1)
  const chain = makeProvableChain(3)
  const node = await chain.start(chain.blocks, { startHeight: 2, proveState: trees.prove })
  const source = createRpcSource({ urls: [node.url], listen: false })
  closeAfterwards(() => source.close())
  const random = createSeededRandom(SEED)
  const never = new AbortController().signal
  const prover = () => new StateProver(source, { sample: SAMPLE, isPossible: () => true, random }, never)
  const part = { from: 1, to: 1, isDisputed: false }
  const lie = (claim: Claim): Claim => ({ ...claim, value: { amount: 7n } })
  const isFound = (changed: { central: Claim[]; others: Claim[] }) =>
    prover()
      .check(part, changed, appHash)
      .then(
        () => false,
        (error: unknown) => {
          assert.ok(error instanceof StateRefuted)
          return true
        },
      )

  let missed = 0
  for (let run = 0; run < RUNS; run++) {
    const first = Math.floor(random() * RECORDS)
    const others = claims.map((claim, i) => (i === first || i === (first + 1) % RECORDS ? lie(claim) : claim))
    if (!(await isFound({ central: [], others }))) missed++
  }
  const expected = RUNS * missChance(RECORDS, FALSE_RECORDS, SAMPLE)
  const deviation = Math.sqrt(expected * (1 - expected / RUNS))
  t.diagnostic(`${missed} of ${RUNS} lies missed, ${expected.toFixed(1)} expected, deviation ${deviation.toFixed(1)}`)
  assert.ok(Math.abs(missed - expected) < 4 * deviation, `${missed} missed, ${expected} expected`)

  for (let run = 0; run < RUNS; run++)
    assert.ok(await isFound({ central: [lie(claims[0]!)], others: claims.slice(1) }), 'a false record of a module was missed')
})
