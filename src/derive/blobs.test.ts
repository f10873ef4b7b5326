import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBlob, aBlock, aMessage, aNamespace, anAccount, aPayForBlobs, aSend, aTx } from '../../test/builders.ts'
import { MsgPayForFibreSchema } from '../decode/gen/celestia/fibre/v1/types_pb.ts'
import { toOds, unpackOds } from '../decode/square/ods.ts'
import { fromHex, toHex } from '../lib/encoding/bytes.ts'
import { deriveBlock, gasPricesOf } from './block.ts'
import { splitFee } from './tx.ts'

const alice = anAccount('alice')
const hexOf = (name: string) => toHex(aNamespace(name))
const ONE = 10n ** 18n

test('blobs carry namespace, signer, size, content type and their place in the tx', () => {
  const { txs, namespaces, messages } = deriveBlock(
    aBlock(5, {
      txs: [aPayForBlobs(alice.text, [aBlob('b', 'some text'), aBlob('a', Uint8Array.of(1, 2, 3)), aBlob('b', '{}')])],
    }),
  )
  assert.deepEqual(
    txs[0]!.blobs.map(({ namespace, signer, sizeBytes, contentType, index }) => ({
      namespace,
      signer,
      sizeBytes,
      contentType,
      index,
    })),
    [
      { namespace: hexOf('b'), signer: alice.hex, sizeBytes: 9, contentType: 'text/plain; charset=utf-8', index: 0 },
      { namespace: hexOf('a'), signer: alice.hex, sizeBytes: 3, contentType: 'application/octet-stream', index: 1 },
      { namespace: hexOf('b'), signer: alice.hex, sizeBytes: 2, contentType: 'text/plain; charset=utf-8', index: 2 },
    ],
  )
  assert.deepEqual(namespaces, [hexOf('b'), hexOf('a')], 'in order of first appearance')
  assert.deepEqual(messages[0]!.namespaces, [
    [hexOf('b'), 11],
    [hexOf('a'), 3],
  ])
})

test('a failed PFB leaves no blobs and no namespaces, but its shares are in the square', () => {
  const { txs, namespaces, messages, ods } = deriveBlock(
    aBlock(5, { txs: [aPayForBlobs(alice.text, [aBlob('a', 'x')], { code: 11 })] }),
  )
  assert.deepEqual([txs[0]!.blobs, namespaces, messages[0]!.namespaces], [[], [], []])
  assert.ok(unpackOds(ods).some(({ namespace }) => toHex(namespace) === hexOf('a')))
})

test('the fee follows the shares of each blob and its parts sum up to it exactly', () => {
  // 1 and 3 shares: 4096 and 12288 gas; 80000 - 16384 are the same for both.
  const parts = splitFee(1000n, 80_000n, [
    { sizeBytes: 100, shareVersion: 0 },
    { sizeBytes: 1000, shareVersion: 0 },
  ])
  assert.equal(parts[0], (1000n * ONE * (4096n * 2n + 63_616n)) / 160_000n)
  assert.equal(parts[0]! + parts[1]!, 1000n * ONE)
})

test('what rounding leaves goes to the last blob', () => {
  const parts = splitFee(1n, 0n, Array(3).fill({ sizeBytes: 1, shareVersion: 0 }))
  assert.deepEqual(parts, [333_333_333_333_333_333n, 333_333_333_333_333_333n, 333_333_333_333_333_334n])
})

test('an authored blob needs its larger first share', () => {
  const parts = splitFee(100n, 0n, [
    { sizeBytes: 478, shareVersion: 0 },
    { sizeBytes: 478, shareVersion: 1 },
  ])
  assert.equal(parts[1]! / parts[0]!, 2n)
})

test('apps that did not count the signer charged nothing for it', () => {
  const blobs = [
    { sizeBytes: 478, shareVersion: 0 },
    { sizeBytes: 478, shareVersion: 1 },
  ]
  assert.deepEqual(splitFee(100n, 0n, blobs, false), [50n * ONE, 50n * ONE])
  const authored = { ...aBlob('a', new Uint8Array(478)), shareVersion: 1, signer: fromHex(alice.hex)! }
  const feesOf = (versionApp: number) =>
    deriveBlock(aBlock(5, { versionApp, txs: [aPayForBlobs(alice.text, [authored, aBlob('b', 'x')])] })).txs[0]!.blobs.map(
      ({ fee }) => fee,
    )
  assert.equal(feesOf(5)[0], feesOf(5)[1])
  assert.ok(feesOf(6)[0]! > feesOf(6)[1]!)
})

test('the map of a block follows the rules of its app', () => {
  const authored = { ...aBlob('a', new Uint8Array(470)), shareVersion: 1, signer: fromHex(alice.hex)! }
  const wide = aBlob('b', new Uint8Array(478 + 64 * 482))
  const sharesOf = (versionApp: number) =>
    unpackOds(deriveBlock(aBlock(5, { versionApp, txs: [aPayForBlobs(alice.text, [authored, wide])] })).ods).map(
      ({ shares }) => shares,
    )
  // The wide blob begins at an even share: behind the two of the other one, or where those would end if they were one.
  assert.deepEqual(sharesOf(6).slice(0, 3), [1, 3, 65])
  assert.deepEqual(sharesOf(5).slice(0, 3), [1, 2, 65])
})

test('a wrapped tx stands in the square as it stands in the block', () => {
  // Alone the tx would just fill the first share of its sequence; what wraps it needs another one.
  const inner = [...Array(300).keys()]
    .map((n) => aSend(alice.text, alice.text, 1n, { memo: 'm'.repeat(n) }))
    .find(({ bytes }) => bytes.length === 472)!
  const wrapper = {
    ...inner,
    bytes: Buffer.concat([Buffer.from('0ad803', 'hex'), inner.bytes, Buffer.from('1201071a04494e4458', 'hex')]),
  }
  const [alone, wrapped] = [inner, wrapper].map((tx) => deriveBlock(aBlock(5, { txs: [tx] })))
  assert.equal(wrapped!.txs[0]!.hash, alone!.txs[0]!.hash)
  assert.deepEqual(
    [alone, wrapped].map((facts) => unpackOds(facts!.ods)[0]!.shares),
    [1, 2],
  )
})

test('an empty block has one share of tail padding', () => {
  const { ods } = deriveBlock(aBlock(5))
  assert.deepEqual(toOds(1, unpackOds(ods)).items, [
    { from: [0, 0], to: [0, 0], namespace: '//////////////////////////////////////4=', type: 'tail_padding' },
  ])
})

test('a PayForFibre tx stands in its own part of the square with one system blob', () => {
  const message = aMessage(MsgPayForFibreSchema, {
    signer: alice.text,
    paymentPromise: { namespace: aNamespace('fibre'), commitment: new Uint8Array(32) },
  })
  const typesOf = (versionApp: number) => {
    const txs = [aSend(alice.text, alice.text, 1n), aTx({ from: alice.text, actions: [{ message }] })]
    return toOds(4, unpackOds(deriveBlock(aBlock(5, { versionApp, txs })).ods)).items.map(({ type }) => type)
  }
  assert.deepEqual(typesOf(10), ['tx', 'pay_for_fibre', 'namespace', 'tail_padding'])
  assert.deepEqual(typesOf(9), ['tx', 'tail_padding'], 'an app that does not know it takes it for any tx')
})

test('gas prices are those of the cheapest tx while blocks have room', () => {
  const tx = (feeUtia: bigint) => ({ feeUtia, gasWanted: 1000n, gasUsed: 900n })
  assert.deepEqual(gasPricesOf([tx(9n), tx(2n), tx(4n)], 3000n, 1000), { slow: 0.002, median: 0.002, fast: 0.002 })
})

test('gas prices of a full block are taken at 10, 50 and 99 % of its gas', () => {
  const tx = (feeUtia: bigint, gasUsed = 900n) => ({ feeUtia, gasWanted: 1000n, gasUsed })
  const txs = [tx(9n), tx(2n), tx(4n), tx(50n, 2000n), tx(0n)]
  assert.deepEqual(gasPricesOf(txs, 3000n, 1_900_000), { slow: 0.002, median: 0.004, fast: 0.009 })
})

test('a block without paying txs has no prices', () => {
  assert.deepEqual(deriveBlock(aBlock(5)).gasPrices, { slow: 0, median: 0, fast: 0 })
})
