import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumOf, totalOf, worthOf } from './account.ts'

test('a total has every digit, however large the parts are', () => {
  const parts = { currency: 'utia', spendable: '9007199254740993', delegated: '9007199254740993', unbonding: '1' }
  assert.equal(totalOf(parts), '18014398509481987')
  assert.equal(totalOf({ currency: 'utia', spendable: '', delegated: '5', unbonding: '0' }), '5')
})

test('coins are worth their price, and without a price it is not known what', () => {
  assert.equal(worthOf('2500000', { close: '4.2' }), 10.5)
  assert.equal(worthOf('2500000', undefined), undefined)
  assert.equal(worthOf('2500000', { close: '0' }), undefined)
})

test('rewards of all months add up', () => {
  assert.equal(sumOf([{ value: '10' }, { value: '32.5' }]), '42')
  assert.equal(sumOf([]), '0')
})
