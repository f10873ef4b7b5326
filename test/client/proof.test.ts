import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import type { BlockProof, ShareProof } from '../../src/client/gen/operations.ts'
import { ProofError, verifyBlob, verifyBlock, verifyTx } from '../../src/client/verify.ts'

type Blob = { height: number; namespace: string; commitment: string; share_version: number; size: number }

const CHAIN_ID = 'astrolabe-devnet-1'
const isRefused = (message: RegExp) => (error: unknown) => error instanceof ProofError && message.test(error.message)

describe('proofs over HTTP', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi()
  })
  after(async () => {
    assert.deepEqual(api.failures, [])
    await api.close()
  })

  async function get<T>(path: string): Promise<T> {
    const answer = await api.get(path)
    assert.equal(answer.status, 200, answer.text)
    return answer.json()
  }
  const proofOf = (blob: Blob) =>
    get<ShareProof>(
      `/v1/blob/proof?height=${blob.height}&hash=${encodeURIComponent(blob.namespace)}&commitment=${encodeURIComponent(blob.commitment)}`,
    )
  const dataHashOf = async (height: number) => (await get<{ data_hash: string }>(`/v1/block/${height}`)).data_hash

  test('every tx of some blocks verifies down to the data hash, and no other hash does', async () => {
    const kinds = new Set<string>()
    for (const height of [3, 60, 150, 300]) {
      const txs = await get<{ hash: string; message_types: string[] }[]>(`/v1/tx?height=${height}&limit=100`)
      const dataHash = await dataHashOf(height)
      for (const { hash, message_types } of txs) {
        const proof = await get<ShareProof>(`/v1/tx/${hash}/proof`)
        assert.equal(proof.height, height)
        assert.equal(proof.data_hash, dataHash)
        assert.ok((await verifyTx(proof, hash, { dataHash })).length > 0)
        await assert.rejects(verifyTx(proof, '00'.repeat(32), { dataHash }), isRefused(/do not hold the tx/))
        kinds.add(message_types.includes('MsgPayForBlobs') ? 'blob' : 'plain')
      }
    }
    assert.deepEqual([...kinds].sort(), ['blob', 'plain'])
  })

  test('the content of a blob comes out of its proof', async () => {
    const all = await get<Blob[]>('/v1/blob?limit=100&sort_by=size')
    const newest = await get<Blob[]>('/v1/blob?limit=100')
    for (const blob of [all[0]!, newest[0]!, newest.find(({ share_version }) => share_version === 1)!, newest.at(-1)!]) {
      const proven = await verifyBlob(await proofOf(blob), { dataHash: await dataHashOf(blob.height) })
      const content = (
        await api.post('/v1/blob', { hash: blob.namespace, height: blob.height, commitment: blob.commitment })
      ).json() as { data: string }
      assert.equal(Buffer.from(proven.data).toString('base64'), content.data)
      assert.equal(proven.shareVersion, blob.share_version)
      assert.equal(proven.signer?.length, blob.share_version === 0 ? undefined : 20)
    }
  })

  test('a proof that was changed anywhere is refused', async () => {
    const [blob] = await get<Blob[]>('/v1/blob?limit=1&sort_by=size')
    const proof = await proofOf(blob!)
    const dataHash = await dataHashOf(blob!.height)
    const flip = (text: string) => {
      const bytes = Buffer.from(text, 'base64')
      bytes[40]! ^= 1
      return bytes.toString('base64')
    }
    const changes: [string, RegExp, (copy: ShareProof) => void][] = [
      ['share', /not in the tree/, (copy) => (copy.shares[3] = flip(copy.shares[3]!))],
      ['node', /not in the tree/, (copy) => (copy.rows[0]!.nodes[0] = flip(copy.rows[0]!.nodes[0]!))],
      ['aunt', /does not lead/, (copy) => (copy.rows[0]!.aunts[0] = Buffer.alloc(32).toString('base64'))],
      ['fewer aunts', /does not lead/, (copy) => copy.rows[0]!.aunts.pop()],
      ['row root', /not in the tree/, (copy) => (copy.rows[0]!.root = flip(copy.rows[0]!.root))],
      ['row left out', /in no row|does not cover|next one/, (copy) => copy.rows.pop()],
      ['share left out', /number of shares/, (copy) => copy.shares.pop()],
      ['moved', /next one|not in the tree/, (copy) => Object.assign(copy, { start: copy.start + 1, end: copy.end + 1 })],
      ['size', /next one|does not cover|not in the/, (copy) => (copy.square_size *= 2)],
      ['namespace', /not in the tree/, (copy) => (copy.namespace = Buffer.alloc(29, 7).toString('base64'))],
    ]
    for (const [name, message, change] of changes) {
      const copy = structuredClone(proof)
      change(copy)
      await assert.rejects(verifyBlob(copy, { dataHash }), isRefused(message), name)
    }
    await assert.rejects(verifyBlob(proof, { dataHash: '00'.repeat(32) }), isRefused(/does not lead/))
  })

  const blockProof = (height: number) => get<BlockProof>(`/v1/block/${height}/proof`)

  test('every block but the last verifies with the validators of its height', async () => {
    const sets = new Set<string>()
    for (let height = 1; height < 403; height++) {
      const proof = await blockProof(height)
      const block = await verifyBlock(proof, { chainId: CHAIN_ID, validatorsHash: proof.header.validators_hash })
      assert.equal(block.height, height)
      sets.add(block.validatorsHash)
    }
    assert.ok(sets.size > 5, 'validators come, go and change their power')
    assert.equal((await api.get('/v1/block/403/proof')).status, 204)
    assert.equal((await api.get('/v1/block/404/proof')).status, 204)
    assert.equal((await api.get('/v1/block/0/proof')).status, 400)
  })

  test('a verified block carries the tx: from the validators of genesis to its bytes', async () => {
    const genesis = await blockProof(1)
    const first = await verifyBlock(genesis, { chainId: CHAIN_ID, validatorsHash: genesis.header.validators_hash })
    assert.equal(first.hash, (await get<{ hash: string }>('/v1/block/1')).hash)
    const block = await verifyBlock(await blockProof(150), { chainId: CHAIN_ID, validators: genesis.validators })
    const [tx] = await get<{ hash: string }[]>('/v1/tx?height=150&limit=1')
    assert.ok((await verifyTx(await get<ShareProof>(`/v1/tx/${tx!.hash}/proof`), tx!.hash, block)).length > 0)
  })

  test('a forged block is refused with the reason', async () => {
    const proof = await blockProof(100)
    const trust = { chainId: CHAIN_ID, validatorsHash: proof.header.validators_hash }
    const votes = (copy: BlockProof) => copy.commit.signatures.filter(({ block_id_flag }) => block_id_flag === 2)
    const forgeries: [RegExp, (copy: BlockProof) => void][] = [
      [/another block/, (copy) => (copy.header.data_hash = '00'.repeat(32))],
      [/another block/, (copy) => (copy.header.time = copy.header.time.replace('Z', '1Z'))],
      [/another block/, (copy) => (copy.commit.block_id.hash = '00'.repeat(32))],
      [/height/, (copy) => (copy.commit.height = '99')],
      [/signature/, (copy) => (copy.commit.round += 1)],
      [/signature/, (copy) => (copy.commit.block_id.parts.hash = '00'.repeat(32))],
      [/signature/, (copy) => (votes(copy)[0]!.timestamp = '2024-01-01T00:00:00Z')],
      [/signature/, (copy) => (votes(copy)[0]!.signature = Buffer.alloc(64, 1).toString('base64'))],
      [/more than 2\/3/, (copy) => (copy.commit.signatures = votes(copy).slice(0, 1))],
      [/more than 2\/3/, (copy) => (copy.commit.signatures = Array(3).fill(votes(copy)[0]))],
      [/not those of the header/, (copy) => (copy.validators[0]!.voting_power += '0')],
      [/not those of the header/, (copy) => copy.validators.pop()],
      [/of chain/, (copy) => (copy.header.chain_id = 'celestia')],
    ]
    for (const [message, forge] of forgeries) {
      const copy = structuredClone(proof)
      forge(copy)
      await assert.rejects(verifyBlock(copy, trust), isRefused(message), String(forge))
    }
    await assert.rejects(verifyBlock(proof, { ...trust, validatorsHash: '00'.repeat(32) }), isRefused(/not the trusted ones/))
    const strangers = proof.validators.map((one, i) => ({
      ...one,
      pub_key: { ...one.pub_key, value: Buffer.alloc(32, i).toString('base64') },
    }))
    await assert.rejects(verifyBlock(proof, { chainId: CHAIN_ID, validators: strangers }), isRefused(/more than 1\/3/))
  })

  test('a tx or blob that is not there has no proof', async () => {
    assert.equal((await api.get(`/v1/tx/${'ab'.repeat(32)}/proof`)).status, 204)
    const [blob] = await get<Blob[]>('/v1/blob?limit=1')
    const unknown = new URLSearchParams({ hash: blob!.namespace, height: '1', commitment: blob!.commitment })
    assert.equal((await api.get(`/v1/blob/proof?${unknown}`)).status, 204)
  })
})
