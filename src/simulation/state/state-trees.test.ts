import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { isSameValue, readProvenValue } from '../../chain/state/verify.ts'
import type { ProofOp } from '../../client/proof/state.ts'
import { keyOf, type StateRecord } from '../../client/proof/state-record.ts'
import { NodeFault } from '../../lib/errors.ts'
import { createSeededRandom } from '../../lib/random.ts'
import { type PrintedProofOp, StateTrees } from './state-trees.ts'

const balanceOf = (n: number): StateRecord => ({
  kind: 'balance',
  address: hash('sha256', `account ${n}`, 'hex').slice(0, 40),
  // Keys of one account that continue each other.
  denom: n % 3 === 0 ? 'utia' : `utia${'x'.repeat(n % 3)}`,
})

const read = (op: PrintedProofOp): ProofOp => ({
  type: op.type,
  key: new Uint8Array(Buffer.from(op.key, 'base64')),
  data: new Uint8Array(Buffer.from(op.data, 'base64')),
})

function ask(trees: StateTrees, height: number, record: StateRecord): ProofOp[] {
  const { store, key } = keyOf(record)
  return trees.prove(height, store, key)!.map(read)
}

test('every record and every gap of a tree that grows and shrinks has a proof, also at the heights before', () => {
  const random = createSeededRandom(36)
  const trees = new StateTrees()
  const roots: Uint8Array[] = []
  const states: Map<number, bigint>[] = []
  const present = new Map<number, bigint>()
  for (let height = 0; height < 8; height++) {
    for (let i = 0; i < 15; i++) {
      const n = Math.floor(random() * 40)
      const amount = random() < 0.35 && present.size > 1 ? 0n : BigInt(1 + Math.floor(random() * 1e9))
      trees.set(balanceOf(n), { amount })
      if (amount === 0n) present.delete(n)
      else present.set(n, amount)
    }
    roots.push(Buffer.from(trees.commit(height), 'hex'))
    states.push(new Map(present))
  }
  for (const [height, state] of states.entries()) {
    const root = { height, appHash: roots[height]! }
    for (let n = 0; n < 40; n++) {
      const record = balanceOf(n)
      const amount = state.get(n)
      const proven = readProvenValue(record, ask(trees, height, record), root)
      assert.deepEqual(proven, amount === undefined ? undefined : { amount }, `account ${n} at height ${height}`)
    }
  }
  assert.throws(
    () => readProvenValue(balanceOf(1), ask(trees, 5, balanceOf(1)), { height: 6, appHash: roots[6]! }),
    (error) => error instanceof NodeFault && error.code === 'state_proof',
  )
  assert.throws(() => readProvenValue(balanceOf(2), ask(trees, 5, balanceOf(1)), { height: 5, appHash: roots[5]! }), NodeFault)
})

test('a root follows from the records alone', () => {
  const forwards = new StateTrees()
  const backwards = new StateTrees()
  for (let n = 0; n < 30; n++) forwards.set(balanceOf(n), { amount: BigInt(n + 1) })
  for (let n = 40; n-- > 0; ) backwards.set(balanceOf(n), { amount: BigInt(n + 1) })
  for (let n = 30; n < 40; n++) backwards.set(balanceOf(n), undefined)
  assert.equal(forwards.commit(1), backwards.commit(1))
})

test('stake comes out of the trees as it went in', () => {
  const trees = new StateTrees()
  const [delegator, operator] = ['aa'.repeat(20), 'bb'.repeat(20)]
  const records = [
    [
      { kind: 'validator', operator },
      { tokens: 5n, shares: 5n * 10n ** 18n, jailed: true, bonded: false },
    ],
    [{ kind: 'delegation', delegator, operator }, { shares: 123n }],
  ] as const
  for (const [record, value] of records) trees.set(record, value)
  const appHash = Buffer.from(trees.commit(1), 'hex')
  for (const [record, value] of records) {
    const proven = readProvenValue(record, ask(trees, 1, record), { height: 1, appHash })
    assert.deepEqual(proven, value)
    assert.ok(isSameValue(proven, value) && !isSameValue(proven, { ...value, shares: 1n }) && !isSameValue(proven, undefined))
  }
})
