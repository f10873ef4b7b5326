import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateBench } from '../../../test/state-bench.ts'
import { createConstantsFamily } from './constants.ts'

const blockGas = (value: string) => ({
  kind: 'set-constants' as const,
  constants: [{ module: 'consensus', name: 'block_max_gas', value }],
})

test('a parameter that is told again with the same value touches no row', () => {
  const bench = new StateBench(createConstantsFamily)
  bench.play(1, [blockGas('-1')])
  bench.state.takeChanges()
  bench.state.beginHeight(2)
  createConstantsFamily(bench.state).effects['set-constants'](undefined as never, blockGas('-1'))
  assert.deepEqual(bench.state.takeUndo(), {})
  assert.deepEqual(bench.state.takeChanges(), [])
})

test('a new value replaces the old one', () => {
  const bench = new StateBench(createConstantsFamily)
  bench.play(1, [blockGas('-1')])
  bench.play(2, [blockGas('5000')])
  assert.equal(bench.state.constant.get('consensus', 'block_max_gas')!.value, '5000')
})

test('the description of a denomination is kept, and replaced as a whole', () => {
  const bench = new StateBench(createConstantsFamily)
  const metadata = {
    kind: 'denom-metadata' as const,
    base: 'utia',
    description: 'The native token',
    display: 'TIA',
    name: 'TIA',
    symbol: 'TIA',
    uri: '',
    units: [{ denom: 'utia', exponent: 0, aliases: ['microtia'] }],
  }
  bench.play(1, [metadata])
  bench.play(2, [{ ...metadata, symbol: 'tia', units: [] }])
  assert.deepEqual(bench.state.denomMetadata.get('utia'), {
    base: 'utia',
    description: 'The native token',
    display: 'TIA',
    name: 'TIA',
    symbol: 'tia',
    uri: '',
    units: [],
  })
})
