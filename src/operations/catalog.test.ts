import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindGet } from '../api/http/bind.ts'
import { BadRequest } from '../api/http/errors.ts'
import { encodeAddress } from '../lib/encoding/bech32.ts'
import { toAtomic } from '../pay/sale/offers.ts'
import { CATALOG } from './catalog.ts'
import { type Operation, TIER_USD } from './operation.ts'

const operation = (id: string) => CATALOG.find((candidate) => candidate.id === id)!

function bindInputs(wanted: Operation, given: Record<string, string>, search: string): Record<string, unknown> {
  const { params, query } = bindGet(wanted, `${wanted.path}?${search}`, given)
  return { ...params.values, ...query.values }
}

test('23 operations: 14 at 0.001, 8 at 0.002 and 1 at 0.005 dollars', () => {
  const tiers = CATALOG.map(({ tier }) => tier)
  assert.deepEqual(
    (['A', 'B', 'C'] as const).map((tier) => tiers.filter((one) => one === tier).length),
    [14, 8, 1],
  )
  assert.equal(
    CATALOG.reduce((sum, { tier }) => sum + toAtomic(TIER_USD[tier]), 0n),
    35_000n,
  )
  assert.equal(new Set(CATALOG.map(({ id }) => id)).size, 23)
  assert.equal(new Set(CATALOG.map(({ path }) => path)).size, 23)
})

test('the parameters of a path are exactly its inputs', () => {
  for (const { path, params } of CATALOG)
    assert.deepEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      Object.keys(params),
    )
})

test('inputs are defaulted, signs are accepted, unknown keys are ignored and the first of repeated ones counts', () => {
  const bind = (search: string) => bindInputs(operation('listBlocks'), {}, search)
  assert.deepEqual(bind(''), { limit: 10, offset: 0, sort: 'desc', stats: false })
  assert.deepEqual(bind('LIMIT=%2B5&offset=&x=1&limit=7&stats=T'), { limit: 5, offset: 0, sort: 'desc', stats: true })
})

test('limit, offset and height outside their bounds are refused with their name', () => {
  const wrong = ['0', '-1', '101', '1.5', '0x10', '1e2', 'abc', '99999999999999999999', '%00', '%ff']
  for (const value of wrong)
    assert.throws(
      () => bindInputs(operation('listBlocks'), {}, `limit=${value}`),
      (error) => error instanceof BadRequest && error.param === 'limit',
      value,
    )
  for (const value of ['-1', 'x']) assert.throws(() => bindInputs(operation('listBlocks'), {}, `offset=${value}`), BadRequest)
  for (const value of ['0', '-5', '1.0', '', '\0'])
    assert.throws(() => bindInputs(operation('getBlock'), { height: value }, ''), BadRequest)
  assert.deepEqual(bindInputs(operation('listBlocks'), {}, 'offset=9007199254740993').offset, 9007199254740991)
})

test('an address may be bech32 of an account or operator, or hex of 20 or 32 bytes', () => {
  const bind = (hash: string) => (bindInputs(operation('getAddress'), { hash }, '').hash as Buffer).toString('hex')
  const bytes = 'ab'.repeat(20)
  const account = encodeAddress('celestia', bytes)
  for (const text of [account, encodeAddress('celestiavaloper', bytes), bytes, `0x${bytes.toUpperCase()}`])
    assert.equal(bind(text), bytes, text)
  assert.equal(bind('ab'.repeat(32)), 'ab'.repeat(32))
  for (const wrong of ['ab'.repeat(19), 'celestia1x', '', `${account}x`, 'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a'])
    assert.throws(() => bind(wrong), BadRequest, wrong)
})

test('lists have no empty items and no more than fifty', () => {
  const bind = (signers: string) => bindInputs(operation('listBlobs'), {}, `signers=${signers}`)
  assert.throws(() => bind(''), BadRequest)
  assert.throws(() => bind('ab,,cd'), BadRequest)
  assert.throws(() => bind(Array.from({ length: 51 }, () => 'ab'.repeat(20)).join(',')), BadRequest)
  assert.equal((bind(`${'ab'.repeat(20)},${'cd'.repeat(20)}`).signers as Buffer[]).length, 2)
})

test('enumerations are exact, required inputs are required', () => {
  assert.throws(() => bindInputs(operation('getTps'), {}, 'window=2m'), BadRequest)
  assert.throws(() => bindInputs(operation('getHead'), {}, 'format=xml'), BadRequest)
  assert.throws(() => bindInputs(operation('getPrice'), {}, 'currency=usd'), BadRequest)
  assert.throws(() => bindInputs(operation('search'), {}, ''), BadRequest)
  assert.throws(() => bindInputs(operation('listTransactions'), {}, 'msg_type=MsgNothing'), BadRequest)
  assert.throws(() => bindInputs(operation('getSeries'), { name: 'rewards', timeframe: 'day' }, ''), BadRequest)
  assert.throws(() => bindInputs(operation('getSeries'), { name: 'tps', timeframe: 'year' }, ''), BadRequest)
})

test('a namespace is taken as hex id for filters and as base64 of either alphabet by hash', () => {
  const bytes = Buffer.concat([Buffer.of(0), Buffer.alloc(28, 0xfb)])
  const namespace = { version: 0, id: bytes.subarray(1) }
  const filter = (id: string) => bindInputs(operation('listBlobs'), {}, `namespace_id=${id}`).namespace_id
  assert.deepEqual(filter(bytes.subarray(1).toString('hex')), namespace)
  assert.deepEqual(filter(bytes.toString('hex')), namespace)
  assert.throws(() => filter('abcd'), BadRequest)
  const byHash = (hash: string) => bindInputs(operation('getNamespaceByHash'), { hash }, '').hash
  assert.deepEqual(byHash(bytes.toString('base64')), namespace)
  assert.deepEqual(byHash(bytes.toString('base64url')), namespace)
  assert.throws(() => byHash('AAAA'), BadRequest)
})
