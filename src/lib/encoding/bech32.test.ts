import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bech32 } from '@scure/base'
import {
  consensusAddress,
  decodeAccount,
  decodeAddress,
  encodeAddress,
  escrowAccount,
  moduleAccount,
  multisigAccount,
  secp256k1Account,
} from './bech32.ts'
import { fromHex } from './bytes.ts'

const MODULES = {
  fee_collector: 'celestia17xpfvakm2amg962yls6f84z3kell8c5lpnjs3s',
  mint: 'celestia1m3h30wlvsf8llruxtpukdvsy0km2kum8emkgad',
  bonded_tokens_pool: 'celestia1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3y3clr6',
  not_bonded_tokens_pool: 'celestia1tygms3xhhs3yv487phx3dw4a95jn7t7ls3yw4w',
  distribution: 'celestia1jv65s3grqf6v6jl3dp4t6c9t9rk99cd8k44vnj',
  gov: 'celestia10d07y265gmmuvt4z0w9aw880jnsr700jtgz4v7',
  transfer: 'celestia1yl6hdjhmkf37639730gffanpzndzdpmhl48edw',
  interchainaccounts: 'celestia1vlthgax23ca9syk7xgaz347xmf4nunefkz88ka',
  hyperlane: 'celestia1mqcszwafr476x3rud8qyufdegn7gvxh99rc2gk',
  warp: 'celestia1m20fddqpmfuwcz2r9ckj6wd70p5e75t8y22wqj',
  forwarding: 'celestia13d6j8m8tmeaz0t92a04azv5efmr8gxygtngtm9',
  fibre: 'celestia1zsknr6k4flpn3rhxe0acsathfsjurkk66hdwzj',
}

test('module accounts come from the module name', () => {
  for (const [name, address] of Object.entries(MODULES))
    assert.equal(encodeAddress('celestia', moduleAccount(name)), address, name)
})

test('an escrow account comes from port and channel', () => {
  assert.equal(
    encodeAddress('celestia', escrowAccount('transfer', 'channel-7')),
    'celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg',
  )
})

test('an operator address and its account have the same bytes', () => {
  const hex = moduleAccount('gov')
  const operator = encodeAddress('celestiavaloper', hex)
  assert.equal(operator.length, 54)
  assert.equal(decodeAccount(operator), hex)
  assert.deepEqual(decodeAddress(operator), { prefix: 'celestiavaloper', hex })
  assert.equal(decodeAccount(operator.toUpperCase()), hex)
})

test('32-byte accounts have 67 characters and decode', () => {
  const hex = 'ab'.repeat(32)
  const text = encodeAddress('celestia', hex)
  assert.equal(text.length, 67)
  assert.equal(decodeAccount(text), hex)
})

test('what is no address of this chain decodes to nothing, also when asked twice', () => {
  const good = MODULES.gov
  const foreign = bech32.encode('cosmos', bech32.toWords(fromHex('00'.repeat(20))!))
  const broken = `${good.slice(0, -1)}${good.endsWith('7') ? 'q' : '7'}`
  const mixed = `C${good.slice(1)}`
  const empty = bech32.encode('celestia', [])
  for (const text of ['', 'celestia', 'celestia1', foreign, broken, mixed, empty, `${good} `, 'celestia1'.padEnd(5000, 'q')]) {
    assert.equal(decodeAccount(text), undefined, text)
    assert.equal(decodeAccount(text), undefined, text)
  }
})

test('the cache stays right after many more addresses than it holds', () => {
  const address = encodeAddress('celestia', moduleAccount('gov'))
  for (let i = 0; i < 70_000; i++) decodeAccount(`celestia1notanaddress${i}`)
  assert.equal(decodeAccount(address), moduleAccount('gov'))
})

test('account of a secp256k1 key is RIPEMD-160 of SHA-256', () => {
  // Generator point of the curve; its hash160 is well known from Bitcoin.
  const key = fromHex('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')!
  assert.equal(secp256k1Account(key), '751e76e8199196d454941c45d1b3a323f1433bd6')
})

test('consensus addresses are upper-case hex of 20 bytes', () => {
  const address = consensusAddress(new Uint8Array(32))
  assert.equal(address, '66687AADF862BD776C8FC18B8E9F8E2008971485')
})

test('a multisig account depends on threshold, order and kind of its keys', () => {
  const a = { kind: 'secp256k1' as const, key: new Uint8Array(33).fill(2) }
  const b = { kind: 'ed25519' as const, key: new Uint8Array(32).fill(3) }
  const accounts = new Set([
    multisigAccount(1, [a, b]),
    multisigAccount(2, [a, b]),
    multisigAccount(1, [b, a]),
    multisigAccount(1, [a]),
  ])
  assert.equal(accounts.size, 4)
  for (const account of accounts) assert.match(account, /^[0-9a-f]{40}$/)
})
