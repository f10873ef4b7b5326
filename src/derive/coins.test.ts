import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAmount, parseCoins, parseSingleUtia, utiaOf } from './coins.ts'
import { parseDec, utiaDecOf } from './decimal.ts'

test('coins of several denoms are read with slashes and digits inside the denom', () => {
  const ibc = 'ibc/93E12A7B'
  assert.deepEqual(parseCoins(`5000000${ibc},7utia`), [
    { denom: ibc, amount: 5_000_000n },
    { denom: 'utia', amount: 7n },
  ])
})

test('empty text, a bare number and garbage hold no coins', () => {
  for (const text of ['', '0', ',', 'utia', '-5utia', 'x5utia', '.5utia']) assert.deepEqual(parseCoins(text), [], text)
})

test('amounts above 64 bits stay exact', () => {
  assert.equal(parseSingleUtia('340282366920938463463374607431768211456utia'), 2n ** 128n)
})

test('a denom that only ends in utia is another denom', () => {
  assert.equal(parseSingleUtia('5factory/utia'), undefined)
  assert.equal(utiaOf('5factory/utia'), 0n)
  assert.equal(utiaOf('5factory/utia,6utia'), 6n)
})

test('an amount of a thousand digits is refused instead of computed', () => {
  assert.equal(parseAmount('9'.repeat(1000)), undefined)
  assert.deepEqual(parseCoins(`${'9'.repeat(1000)}utia`), [])
})

test('decimal coins keep 18 digits and count utia only', () => {
  assert.equal(utiaDecOf('278611.245161580998484490utia'), 278_611_245_161_580_998_484_490n)
  assert.equal(utiaDecOf('1.5utia,2.5ibc/AA'), 1_500_000_000_000_000_000n)
  assert.equal(utiaDecOf(''), 0n)
})

test('a decimal without a fraction is whole, and text with two points is none', () => {
  assert.equal(parseDec('3'), 3n * 10n ** 18n)
  assert.equal(parseDec('-0.5'), -5n * 10n ** 17n)
  assert.equal(parseDec('1.2.3'), undefined)
  assert.equal(parseDec(''), undefined)
})
