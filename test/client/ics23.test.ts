import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Bytes } from '../../src/client/proof/encoding.ts'
import { fromBase64, fromHex, toHex } from '../../src/client/proof/encoding.ts'
import { ProofError } from '../../src/client/proof/failure.ts'
import { type Hashing, HashOp, hashInBrowser } from '../../src/client/proof/hashing.ts'
import { decodeCommitmentProof } from '../../src/client/proof/ics23/decode.ts'
import { areLeftBranchesEmpty, areRightBranchesEmpty } from '../../src/client/proof/ics23/neighbours.ts'
import {
  applyInner,
  applyLeaf,
  computeRoot,
  type ExistenceProof,
  type InnerOp,
  type LeafOp,
} from '../../src/client/proof/ics23/ops.ts'
import { checkLeaf, checkProof, IAVL, type ProofSpec, SIMPLE } from '../../src/client/proof/ics23/spec.ts'
import { verifyExistence, verifyNonExistence } from '../../src/client/proof/state.ts'
import { packagePath } from '../../src/lib/package-path.ts'

type Json = Record<string, unknown>
/** Fields differ from file to file. */
// biome-ignore lint/suspicious/noExplicitAny: read from JSON that is part of this repository
type Case = Record<string, any>

/** The published conformance cases of ICS 23 by the names of their files. */
const vectors = JSON.parse(
  gunzipSync(readFileSync(packagePath('test/fixtures', 'ics23-vectors.json.gz'))).toString('utf8'),
) as Record<string, Record<string, Case>>

/** Every hash function of the cases, of which the chain's state needs one. */
const HASHES: Record<number, (bytes: Uint8Array) => Uint8Array> = {
  [HashOp.sha256]: hashWith('sha256'),
  [HashOp.sha512]: hashWith('sha512'),
  [HashOp.ripemd160]: hashWith('ripemd160'),
  [HashOp.bitcoin]: (bytes) => hashWith('ripemd160')(hashWith('sha256')(bytes)),
  [HashOp.sha512_256]: hashWith('sha512-256'),
  [HashOp.blake2b512]: hashWith('blake2b512'),
  [HashOp.blake2s256]: hashWith('blake2s256'),
}

function hashWith(name: string): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => createHash(name).update(bytes).digest()
}

function run<T>(hashing: Hashing<T>): T {
  let step = hashing.next()
  while (!step.done) step = hashing.next(HASHES[step.value.op]!(step.value.preimage))
  return step.value
}

const bytesOf = (text: unknown): Bytes => (typeof text === 'string' ? fromBase64(text) : new Uint8Array())
const numberOf = (value: unknown) => (value as number | undefined) ?? 0

function toLeaf(json: Json = {}): LeafOp {
  return {
    hash: numberOf(json.hash),
    prehashKey: numberOf(json.prehash_key),
    prehashValue: numberOf(json.prehash_value),
    length: numberOf(json.length),
    prefix: bytesOf(json.prefix),
  }
}

function toInner(json: Json): InnerOp {
  return { hash: numberOf(json.hash), prefix: bytesOf(json.prefix), suffix: bytesOf(json.suffix) }
}

function toProof(json: Json): ExistenceProof {
  return {
    key: bytesOf(json.key),
    value: bytesOf(json.value),
    ...(json.leaf !== undefined && { leaf: toLeaf(json.leaf as Json) }),
    path: ((json.path as Json[] | undefined) ?? []).map(toInner),
  }
}

function toSpec({ leaf_spec: leaf, inner_spec: inner, ...rest }: Json): ProofSpec {
  const { child_order, child_size, min_prefix_length, max_prefix_length, empty_child, hash } = inner as Json
  const spec: ProofSpec = {
    leaf: toLeaf(leaf as Json),
    inner: {
      hash: numberOf(hash),
      childOrder: child_order as number[],
      childSize: numberOf(child_size),
      minPrefixLength: numberOf(min_prefix_length),
      maxPrefixLength: numberOf(max_prefix_length),
      emptyChild: bytesOf(empty_child),
    },
    minDepth: numberOf(rest.min_depth),
    maxDepth: numberOf(rest.max_depth) || IAVL.maxDepth,
  }
  const isIavl = JSON.stringify([spec.leaf, spec.inner]) === JSON.stringify([IAVL.leaf, IAVL.inner])
  return isIavl ? { ...spec, layout: 'iavl' } : spec
}

function assertOutcome(name: string, isError: boolean, work: () => unknown): void {
  if (isError) assert.throws(work, ProofError, name)
  else work()
}

test('operations give the hashes of the published cases, or refuse', () => {
  for (const [name, { Op, Key, Value, IsErr, Expected }] of Object.entries(vectors.TestLeafOpData!))
    assertOutcome(name, IsErr, () => {
      assert.deepEqual(run(applyLeaf(toLeaf(Op), bytesOf(Key), bytesOf(Value))), bytesOf(Expected), name)
    })
  for (const [name, { Op, Child, IsErr, Expected }] of Object.entries(vectors.TestInnerOpData!))
    assertOutcome(name, IsErr, () => assert.deepEqual(run(applyInner(toInner(Op), bytesOf(Child))), bytesOf(Expected), name))
  for (const [name, { HashOp: op, Preimage, PreImage, ExpectedHash }] of Object.entries(vectors.TestDoHashData!))
    assert.equal(toHex(HASHES[op]!(Buffer.from(Preimage ?? PreImage))), ExpectedHash, name)
  for (const [name, { Proof, IsErr, Expected }] of Object.entries(vectors.TestExistenceProofData!))
    assertOutcome(name, IsErr, () => assert.deepEqual(run(computeRoot(toProof(Proof))), bytesOf(Expected), name))
})

test('leaves and ways are compared with what their tree makes', () => {
  for (const [name, { Leaf, Spec, IsErr }] of Object.entries(vectors.TestCheckLeafData!))
    assertOutcome(name, IsErr, () => checkLeaf(toLeaf(Leaf), { leaf: toLeaf(Spec) }))
  for (const [name, { Proof, Spec, Err }] of Object.entries(vectors.TestCheckAgainstSpecData!))
    assertOutcome(name, Err !== '', () => checkProof(toProof(Proof), toSpec(Spec)))
  for (const [name, { Op, Spec, IsLeft, IsRight }] of Object.entries(vectors.TestEmptyBranchData!)) {
    const { inner } = toSpec(Spec)
    assert.equal(areLeftBranchesEmpty(inner, toInner(Op)), IsLeft, name)
    assert.equal(areRightBranchesEmpty(inner, toInner(Op)), IsRight, name)
  }
})

type TreeCase = { key: string; value: string; proof: string; root: string }

const trees = Object.entries(vectors).filter(([name]) => /^(iavl|tendermint)\//.test(name))

/** Verifies as a client does; the value is compared by the caller, as proofs of state give it out. */
function* verifyTree(spec: ProofSpec, { key, value, proof, root }: TreeCase, bytes = fromHex(proof)): Hashing<void> {
  const place = { spec, root: fromHex(root), key: fromHex(key) }
  const decoded = decodeCommitmentProof(bytes)
  if ('exist' in decoded) {
    yield* verifyExistence(decoded.exist, place)
    if (toHex(decoded.exist.value) !== value) throw new ProofError('another value')
  } else {
    yield* verifyNonExistence(decoded.nonexist, place)
    if (value !== '') throw new ProofError('another value')
  }
}

test('published proofs of both trees verify, and do not with another key, value or root', async () => {
  assert.equal(trees.length, 12)
  for (const [name, published] of trees) {
    const vector = published as unknown as TreeCase
    const spec = name.startsWith('iavl') ? IAVL : SIMPLE
    run(verifyTree(spec, vector))
    await hashInBrowser(verifyTree(spec, vector))
    for (const change of [{ key: `${vector.key}00` }, { value: `${vector.value}00` }, { root: vector.root.replace(/^../, '00') }])
      assert.throws(() => run(verifyTree(spec, { ...vector, ...change })), ProofError, `${name} ${Object.keys(change)}`)
    assert.throws(() => run(verifyTree(spec === IAVL ? SIMPLE : IAVL, vector)), ProofError, name)
  }
})

test('no bit of a published proof can be changed', () => {
  for (const [name, published] of trees) {
    const vector = published as unknown as TreeCase
    const spec = name.startsWith('iavl') ? IAVL : SIMPLE
    const bytes = fromHex(vector.proof)
    for (let at = 0; at < bytes.length; at++) {
      bytes[at]! ^= 1 << (at % 8)
      assert.throws(() => run(verifyTree(spec, vector, bytes)), ProofError, `${name} byte ${at}`)
      bytes[at]! ^= 1 << (at % 8)
    }
  }
})

test('a neighbour that is left out, swapped or from further away proves no absence', () => {
  for (const tree of ['iavl', 'tendermint']) {
    const spec = tree === 'iavl' ? IAVL : SIMPLE
    const vector = vectors[`${tree}/nonexist_middle`] as unknown as TreeCase
    const decoded = decodeCommitmentProof(fromHex(vector.proof))
    assert.ok('nonexist' in decoded)
    const { key, left, right } = decoded.nonexist
    const place = { spec, root: fromHex(vector.root), key }
    run(verifyNonExistence(decoded.nonexist, place))
    const refuse = (proof: Parameters<typeof verifyNonExistence>[0], reason: RegExp) =>
      assert.throws(
        () => run(verifyNonExistence(proof, place)),
        (error) => error instanceof ProofError && reason.test(error.message),
      )
    refuse({ key }, /no neighbour/)
    refuse({ key, left: left! }, /right of the left neighbour/)
    refuse({ key, right: right! }, /left of the right neighbour/)
    refuse({ key, left: right!, right: left! }, /not left of the key/)
    refuse({ key, left: left!, right: left! }, /not right of the key/)
  }
})
