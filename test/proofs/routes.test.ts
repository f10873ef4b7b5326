import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BalanceProof, SupplyProof, ValidatorProof } from '../../src/client/gen/operations.ts'
import { ProofError, verifyBalance, verifyBlock, verifySupply, verifyValidator } from '../../src/client/verify.ts'
import { anAccount } from '../../src/simulation/txs/accounts.ts'
import { openBlocks, startApi } from '../live/stack.ts'
import { CHAIN_ID, HEIGHT, indexProvableChain, type ProvableChain } from './provable-chain.ts'

describe('proofs of state', () => {
  let chain: ProvableChain
  let base: string
  let validatorsHash: string
  const get = (path: string) => fetch(base + path)
  async function read<T>(path: string): Promise<T> {
    const answer = await get(path)
    assert.equal(answer.status, 200, `${path}: ${answer.status}`)
    return answer.json() as Promise<T>
  }
  const verified = (proof: BalanceProof | SupplyProof | ValidatorProof) =>
    verifyBlock(proof.block, { chainId: CHAIN_ID, validatorsHash })

  before(async () => {
    chain = await indexProvableChain()
    base = (await startApi(chain.url, { blocks: openBlocks([chain.node], CHAIN_ID) })).url
    const { header } = await read<BalanceProof['block']>(`/v1/block/${HEIGHT}/proof`)
    validatorsHash = header.validators_hash
  })

  test('every balance leads to the signed header, and is what the index shows of that height', async () => {
    const accounts = await read<{ hash: string }[]>('/v1/address?limit=100')
    assert.ok(accounts.length > 30)
    for (const { hash } of accounts) {
      const proof = await read<BalanceProof>(`/v1/address/${hash}/proof`)
      assert.equal(proof.height, HEIGHT - 1)
      const amount = await verifyBalance(proof, { address: hash }, await verified(proof))
      assert.equal(String(amount), proof.amount)
      const shown = await get(`/v1/address/${hash}?height=${HEIGHT - 1}`)
      const { spendable } =
        shown.status === 204 ? { spendable: '0' } : ((await shown.json()) as { balance: { spendable: string } }).balance
      assert.equal(spendable, proof.amount, hash)
    }
  })

  test('nothing is proven as well: an account that nobody has seen, a denomination that does not exist', async () => {
    const { text: address } = anAccount('nobody at all')
    for (const denom of ['utia', 'ibc/ABC']) {
      const proof = await read<BalanceProof>(`/v1/address/${address}/proof?denom=${encodeURIComponent(denom)}`)
      assert.deepEqual([proof.amount, proof.value, proof.address], ['0', null, address])
      assert.equal(await verifyBalance(proof, { address, denom }, await verified(proof)), 0n)
    }
  })

  test('supply and validators', async () => {
    const proof = await read<SupplyProof>('/v1/supply/proof')
    const [shown] = await read<{ amount: string; currency: string }[]>(`/v1/supply?height=${HEIGHT - 1}`).then((all) =>
      all.filter(({ currency }) => currency === 'utia'),
    )
    assert.equal(String(await verifySupply(proof, {}, await verified(proof))), shown!.amount)
    for (const { id } of await read<{ id: number }[]>('/v1/validators')) {
      const validator = await read<ValidatorProof>(`/v1/validators/${id}/proof`)
      const proven = await verifyValidator(validator, validator, await verified(validator))
      assert.deepEqual([String(proven!.tokens), proven!.bonded, proven!.jailed], [validator.tokens, true, false])
    }
    assert.equal((await get('/v1/validators/9999/proof')).status, 204)
  })

  test('a proof that was changed in any field is refused', async () => {
    const [{ hash: address }] = (await read<{ hash: string }[]>('/v1/address?sort_by=spendable&sort=desc&limit=1')) as [
      { hash: string },
    ]
    const proof = await read<BalanceProof>(`/v1/address/${address}/proof`)
    const block = await verified(proof)
    const other = anAccount('nobody at all').text
    const refuse = async (
      name: string,
      copy: BalanceProof,
      known: { address: string; denom?: string } = { address },
      above = block,
    ) => assert.rejects(verifyBalance(copy, known, above), ProofError, name)
    await refuse('address', proof, { address: other })
    await refuse('denomination', proof, { address, denom: 'ibc/ABC' })
    await refuse('mistyped address', proof, { address: `${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}` })
    await refuse('height', { ...proof, height: proof.height - 1 })
    await refuse('app hash', proof, { address }, { ...block, appHash: '00'.repeat(32) })
    await refuse('a step less', { ...proof, ops: proof.ops.slice(0, 1) })
    await refuse('steps in another order', { ...proof, ops: [...proof.ops].reverse() })
    for (const [i, op] of proof.ops.entries()) {
      const change = (changed: Partial<typeof op>) => ({
        ...proof,
        ops: proof.ops.map((step, at) => (at === i ? { ...op, ...changed } : step)),
      })
      await refuse(`type of step ${i}`, change({ type: 'ics23:smt' }))
      await refuse(`key of step ${i}`, change({ key: 'AAAA' }))
      await refuse(`step ${i} that is no base64`, change({ data: '?' }))
      const data = Buffer.from(op.data, 'base64')
      for (let at = 0; at < data.length; at += 3) {
        data[at]! ^= 1 << (at % 8)
        await refuse(`byte ${at} of step ${i}`, change({ data: data.toString('base64') }))
        data[at]! ^= 1 << (at % 8)
      }
    }
    const forged = structuredClone(proof)
    forged.block.header.app_hash = '00'.repeat(32)
    await assert.rejects(verified(forged), ProofError)
  })

  test('without trust nothing is verified, and what is malformed is a ProofError', async () => {
    const { block } = await read<BalanceProof>('/v1/supply/proof')
    for (const trust of [{}, { validators: [] }, { validatorsHash: '' }, { validatorsHash: undefined }])
      await assert.rejects(
        verifyBlock(block, { chainId: CHAIN_ID, ...trust } as never),
        (error) => error instanceof ProofError && /nothing is trusted/.test(error.message),
      )
    const trust = { chainId: CHAIN_ID, validatorsHash }
    const changes: ((copy: typeof block) => void)[] = [
      ...['', 'yesterday', '2026-13-45T00:00:00Z', '2026-11-15T12:00:00+01:00'].map((time) => (copy: typeof block) => {
        copy.header.time = time
      }),
      (copy) => {
        for (const vote of copy.commit.signatures) vote.timestamp = 'never'
      },
      (copy) => {
        copy.header.version.app = 'nine'
      },
      (copy) => {
        copy.validators[0]!.pub_key.value = '*'
      },
      (copy) => {
        copy.validators[0]!.voting_power = '1e9'
      },
      (copy) => {
        copy.header.data_hash = 'XY'
      },
    ]
    for (const change of changes) {
      const copy = structuredClone(block)
      change(copy)
      await assert.rejects(verifyBlock(copy, trust), ProofError, String(change))
    }
  })

  test('where no node gives proofs the answer is 503 with a sentence, and a false proof never gets out', async () => {
    const { text: address } = anAccount('somebody else')
    const refused = async (path: string) => {
      const answer = await get(path)
      const { code, message } = (await answer.json()) as { code: string; message: string }
      return `${answer.status} ${code} ${message}`
    }
    chain.node.faults.set('pruned-state')
    assert.match(
      await refused(`/v1/address/${address}/proof`),
      /^503 no_state_proofs no node proves the state after height 39: proof is unexpectedly empty/,
    )
    chain.node.faults.clear()
    chain.node.faults.set('no-proofs')
    assert.match(await refused(`/v1/address/${address}/proof`), /answers without a proof/)
    chain.node.faults.clear()
    const before = chain.node.requests.get('abci_query')!
    await read(`/v1/address/${address}/proof`)
    await read(`/v1/address/${address}/proof`)
    assert.equal(chain.node.requests.get('abci_query')! - before, 1, 'kept for as long as the head stays')
    assert.match(await refused('/v1/address/celestia1abc/proof'), /^400 /)
    chain.node.faults.set('tampered-proof')
    assert.match(await refused(`/v1/address/${anAccount('a third one').text}/proof`), /^503 no_state_proofs .*does not hold/)
    chain.node.faults.clear()
  })
})
