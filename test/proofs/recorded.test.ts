import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { describeRecord } from '../../src/chain/state/describe.ts'
import { type Claim, proveState } from '../../src/chain/state/prove.ts'
import { readProvenValue } from '../../src/chain/state/verify.ts'
import type { BlockProof } from '../../src/client/gen/operations.ts'
import type { ProofOp } from '../../src/client/proof/state.ts'
import { keyOf, type StateRecord } from '../../src/client/proof/state-record.ts'
import { verifyBlock } from '../../src/client/verify.ts'
import { NodeFault } from '../../src/lib/errors.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { openReader } from '../../src/store/db.ts'
import { listRecords } from '../../src/store/read/claims.ts'
import { freshDatabase } from '../support/database.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'

type Above = { height: number; signed_header_above: BlockProof; validators_above: { validators: BlockProof['validators'] } }
type Recorded = {
  height: number
  kind: string
  store: string
  key: string
  rest_says: string | null
  value: string | null
  proof_ops: { type: string; key: string; data: string }[]
}

/** What a node of a celestia-app 9 network said at three heights, and the signed headers above them. */
const lines = gunzipSync(readFileSync(packagePath('test/fixtures', 'state-proofs.ndjson.gz')))
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Above | Recorded)
const above = lines.filter((line) => 'signed_header_above' in line)
const recorded = lines.filter((line) => 'kind' in line)

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const opsOf = ({ proof_ops }: Recorded): ProofOp[] =>
  proof_ops.map(({ type, key, data }) => ({ type, key: bytesOf(key), data: bytesOf(data) }))

/** The record behind a key of the recording. */
function recordOf({ key }: Recorded): StateRecord {
  const bytes = Buffer.from(key, 'hex')
  const size = bytes[1]!
  const first = bytes.subarray(2, 2 + size).toString('hex')
  switch (bytes[0]) {
    case 0x02:
      return { kind: 'balance', address: first, denom: bytes.subarray(2 + size).toString() }
    case 0x00:
      return { kind: 'supply', denom: bytes.subarray(1).toString() }
    case 0x21:
      return { kind: 'validator', operator: first }
    default:
      return { kind: 'delegation', delegator: first, operator: bytes.subarray(3 + size).toString('hex') }
  }
}

async function rootAt(height: number): Promise<{ height: number; appHash: Uint8Array }> {
  const line = above.find((other) => other.height === height)!
  const { validators } = line.validators_above
  const proof = { ...line.signed_header_above, validators }
  const trust = { chainId: 'node-devnet-1', validatorsHash: proof.header.validators_hash }
  const block = await verifyBlock(proof, trust)
  assert.equal(block.height, height + 1)
  return { height, appHash: Buffer.from(block.appHash, 'hex') }
}

test('every recorded proof leads to the app hash of the signed header above, and says what the node says', async () => {
  assert.equal(recorded.length, 105)
  for (const line of recorded) {
    const record = recordOf(line)
    assert.deepEqual(Buffer.from(keyOf(record).key).toString('hex'), line.key)
    const value = readProvenValue(record, opsOf(line), await rootAt(line.height))
    if (line.kind === 'absent') assert.equal(value, undefined)
    else if (value && 'amount' in value) assert.equal(String(value.amount), line.rest_says)
    else if (value && 'tokens' in value) assert.equal(String(value.tokens), line.rest_says)
    // What a delegation is worth depends on the validator: the shares are compared with the index below.
    else assert.ok(value && value.shares > 0n)
  }
})

test('every recorded proof that was changed in any field is refused', async () => {
  const kinds = new Set<string>()
  for (const line of recorded) {
    // Of the first of a kind every byte is changed, of the others some in each part.
    const stride = kinds.has(line.kind) ? 61 : 1
    kinds.add(line.kind)
    const root = await rootAt(line.height)
    const record = recordOf(line)
    const refuse = (name: string, ops: ProofOp[], of: StateRecord = record, at = root) =>
      assert.throws(() => readProvenValue(of, ops, at), NodeFault, `${line.kind}: ${name}`)
    const ops = opsOf(line)
    refuse('another record', ops, { kind: 'supply', denom: 'other' })
    refuse('another root', ops, record, { ...root, appHash: Buffer.alloc(32) })
    refuse('no steps', [])
    refuse('one step', ops.slice(0, 1))
    refuse('a step too many', [...ops, ops[1]!])
    for (const [i, op] of ops.entries()) {
      const change = (changed: Partial<ProofOp>) => ops.map((step, at) => (at === i ? { ...op, ...changed } : step))
      refuse(`type of step ${i}`, change({ type: `${op.type}x` }))
      refuse(`key of step ${i}`, change({ key: bytesOf('AAAA') }))
      for (let at = 0; at < op.data.length; at += stride) {
        const data = op.data.slice()
        data[at]! ^= 1 << (at % 8)
        refuse(`byte ${at} of step ${i}`, change({ data }))
      }
    }
  }
  assert.deepEqual([...kinds].sort(), ['absent', 'balance', 'delegation', 'supply', 'validator'])
})

/** Beside the bundled recordings, where somebody has it. */
const RECORDING = '../../../shared/chain/proven'
const FOLDER = packagePath('data/recordings', RECORDING)

describe('an index made of the recorded blocks', { skip: !existsSync(FOLDER) && `there is no recording in ${FOLDER}` }, () => {
  for (const { height } of above)
    test(`has what the chain had after height ${height}`, async () => {
      const url = await freshDatabase()
      await indexRecording(url, RECORDING, { until: height })
      const sql = openReader({ url, schema: SCHEMA, max: 1 })
      const claims: Claim[] = []
      await sql.begin(async (snapshot) => {
        for await (const page of listRecords(snapshot as never)) claims.push(...page)
      })
      await sql.end()
      const { signal } = new AbortController()
      const node = await startReplayNode({ dir: FOLDER })
      const nodes = createRpcSource({ urls: [node.url], listen: false })
      const { verdicts, unproven } = await proveState(nodes, claims, await rootAt(height), signal)
      await nodes.close()
      await node.close()
      assert.deepEqual(
        verdicts.filter(({ agrees }) => !agrees).map(({ claim }) => describeRecord(claim.record)),
        [],
      )
      const expected = recorded.filter((line) => line.height === height && line.kind !== 'absent').length
      assert.equal(verdicts.filter(({ proven }) => proven).length, expected)
      // The node was only asked for what the chain has: of accounts without coins there is no proof in the recording.
      assert.ok(unproven.every(({ value }) => value && 'amount' in value && value.amount === 0n))
    })
})
