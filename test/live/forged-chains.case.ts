import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { buildSquare } from '../../src/decode/square/build-square.ts'
import { computeDataRoot } from '../../src/decode/square/data-root.ts'
import { toSquareTx } from '../../src/decode/square/square-tx.ts'
import { toHexUpper } from '../../src/lib/encoding/bytes.ts'
import { AstrolabeError, type NodeFault } from '../../src/lib/errors.ts'
import type { BlockSpec, ForgedBlock } from '../../src/simulation/node/forge.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { makeSigner, type Signing, signBlocks } from '../../src/simulation/node/sign.ts'
import { anAccount, aSend, CHAIN_ID } from '../builders.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { toRaw } from './branches.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { LENGTH, makeBlocks, makeGenesis, makeSignedChain, validatorsAt } from './signed-chain.ts'
import { startIndexer, startNode, waitUntil } from './stack.ts'

/** The votes for a block are in the next one, so the last one is only there to carry them. */
const END = LENGTH - 1
const FORGED_FROM = 20
const chain = makeSignedChain()
let oracle: Digest

const startSigned = (blocks: ForgedBlock[], startHeight = END): Promise<ReplayNode> =>
  startNode({ chainId: CHAIN_ID, genesis: makeGenesis(), blocks: toRaw(blocks), startHeight })

/** Chain that is true up to a height, then forged so that only its votes show it. */
function forgeFrom(height: number, signing: Signing, change: Partial<BlockSpec> = { appHash: 'AB'.repeat(32) }): ForgedBlock[] {
  const branch = makeBlocks(height, change)
  signBlocks(branch, signing, chain[height - 2])
  return [...chain.slice(0, height - 1), ...branch]
}

before(async () => {
  const url = await freshDatabase()
  await startIndexer(url, [await startSigned(chain)], { follow: false, verifyCommits: true }).ended
  oracle = await digestOf(url)
})

const stranger = makeSigner('mallory', 100n)
/** Signers that claim to be validators, with a foreign key. */
const impostor = (height: number) => validatorsAt(height).map((validator) => ({ ...validator, sign: stranger.sign }))

const takenOver: Signing = {
  validators: () => [stranger],
  signers: (height) => (height < FORGED_FROM ? validatorsAt(height) : [stranger]),
}

/** The votes that the true chain has, under a block they are not for. */
const borrowed = (height: number) =>
  validatorsAt(height).map((validator) => {
    const votes = chain[height]?.block.block.last_commit.signatures ?? []
    const vote = votes.find(({ validator_address: address }) => address === validator.address)
    return { ...validator, sign: () => Buffer.from(vote?.signature ?? '', 'base64') }
  })

const payment = aSend(anAccount('alice').text, anAccount('mallory').text, 1n)
const payments = {
  txs: [payment.bytes],
  txResults: [
    {
      events: payment.result.events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map(([key, value]) => ({ key, value, index: true })),
      })),
    },
  ],
  dataHash: toHexUpper(computeDataRoot(buildSquare([toSquareTx(payment.bytes, 9)]))),
}

const FORGERIES: { name: string; code: string; signing: Signing; change?: Partial<BlockSpec>; isLong?: true }[] = [
  {
    name: 'signatures of other keys',
    code: 'commit_signature',
    signing: { validators: validatorsAt, signers: impostor },
    isLong: true,
  },
  {
    name: 'a third of the power',
    code: 'commit_power',
    signing: { validators: validatorsAt, signers: (height) => validatorsAt(height).slice(0, 1) },
  },
  { name: 'no signatures', code: 'commit_power', signing: { validators: validatorsAt, signers: () => [] }, isLong: true },
  { name: 'its own validator set', code: 'validators_hash', signing: takenOver },
  {
    name: 'replaced txs under the votes of the true chain',
    code: 'commit_signature',
    signing: { validators: validatorsAt, signers: borrowed },
    change: payments,
  },
]

/** Tests of the default run. */
export function testForgedChains(): void {
  for (const { name, code, signing, change, isLong } of FORGERIES) {
    void (isLong ? longTest : test)(
      `a chain with fitting hashes and ${name} is refused with height and reason, and a true one beside it is indexed`,
      async () => {
        const forged = forgeFrom(FORGED_FROM, signing, change)
        const alone = startIndexer(await freshDatabase(), [await startSigned(forged)], { verifyCommits: true })
        const error = await alone.stands()
        assert.ok(error instanceof AstrolabeError)
        assert.equal(error.code, 'no_node_left')
        assert.match(error.message, /height \d\d/)
        await alone.stop()
        const url = await freshDatabase()
        const faults: NodeFault[] = []
        const [liar, honest] = [await startSigned(forged), await startSigned(chain, FORGED_FROM - 1)]
        const indexer = startIndexer(url, [liar, honest], { verifyCommits: true, onFault: (fault) => faults.push(fault) })
        await waitUntil(() => faults.length > 0)
        honest.setHeight(END)
        await indexer.reached(END)
        await indexer.stop()
        assert.deepEqual([faults[0]!.code, faults[0]!.facts.origin], [code, new URL(liar.url).host])
        assert.deepEqual(indexer.rollbacks, [])
        assertSameTables(await digestOf(url), oracle)
      },
    )
  }

  test('a fork whose blocks more than two thirds have signed is followed', async () => {
    // Of 45, carol has 25 and bob 10: enough without alice.
    const branch = forgeFrom(25, { validators: validatorsAt, signers: (height) => validatorsAt(height).slice(1) })
    const expected = await freshDatabase()
    await startIndexer(expected, [await startSigned(branch)], { follow: false, verifyCommits: true }).ended
    const url = await freshDatabase()
    const node = await startSigned(chain, 30)
    const indexer = startIndexer(url, [node], { verifyCommits: true })
    await indexer.reached(30)
    node.fork(toRaw(branch.slice(24)))
    node.setHeight(END)
    await indexer.reached(END)
    await indexer.stop()
    assert.deepEqual(indexer.rollbacks, [[30, 24]])
    assertSameTables(await digestOf(url), await digestOf(expected))
  })
}

/** Tests of the long run. */
export function testForgedChainsAtLength(): void {
  test('one forging node of two does not take the index over at the tip', async () => {
    for (const verifyCommits of [true, false]) {
      const url = await freshDatabase()
      const faults: NodeFault[] = []
      const [liar, honest] = [await startSigned(chain, 30), await startSigned(chain, 30)]
      const indexer = startIndexer(url, [liar, honest], { verifyCommits, onFault: (fault) => faults.push(fault) })
      await indexer.reached(30)
      liar.fork(toRaw(forgeFrom(25, { validators: validatorsAt, signers: () => [] }).slice(24)))
      liar.setHeight(35)
      await waitUntil(() => faults.length > 0)
      assert.deepEqual([faults[0]!.code, faults[0]!.facts.height], [verifyCommits ? 'fork_unproven' : 'fork_unconfirmed', 25])
      for (let height = 31; height <= END; height++) honest.setHeight(height)
      await indexer.reached(END)
      await indexer.stop()
      assert.deepEqual(indexer.rollbacks, [])
      assertSameTables(await digestOf(url), oracle)
    }
  })

  test('a validator update that is left out is found by the next header, over a restart too', async () => {
    const lying = structuredClone(chain)
    lying[9]!.results.validator_updates = null
    for (const restart of [false, true]) {
      const url = await freshDatabase()
      const faults: NodeFault[] = []
      const options = { verifyCommits: true, onFault: (fault: NodeFault) => faults.push(fault) }
      const [liar, honest] = [await startSigned(lying, 10), await startSigned(chain, 9)]
      let indexer = startIndexer(url, [liar, honest], options)
      await indexer.reached(10)
      if (restart) {
        await indexer.stop()
        indexer = startIndexer(url, [liar, honest], options)
      }
      honest.setHeight(END)
      await indexer.reached(END)
      await indexer.stop()
      assert.equal(faults[0]!.code, 'validator_updates')
      assert.deepEqual(indexer.rollbacks[0], [10, 9])
      assertSameTables(await digestOf(url), oracle)
    }
  })
}
