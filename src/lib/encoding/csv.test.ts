import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine, csvTable, listCell, withoutFormula } from './csv.ts'

test('cells are quoted where they must be, and nothing differs from the empty text', () => {
  assert.equal(csvLine(['a', 1, 2n, true, null, undefined, '']), 'a,1,2,true,,,""\n')
  assert.equal(csvLine(['a,b', 'say "x"', 'two\nlines', 'cr\r']), '"a,b","say ""x""","two\nlines","cr\r"\n')
  assert.equal(csvTable([]), '')
  assert.equal(
    csvTable([
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ]),
    'a,b\n1,x\n2,\n',
  )
})

test('elements of a list can be told apart, whatever is in them', () => {
  assert.equal(listCell(['a', 1, 2n, true, null, undefined, '']), 'a;1;2;true;;;')
  assert.equal(listCell(['a;b', 'c\\d']), 'a\\;b;c\\\\d')
  assert.equal(listCell([]), '')
})

test('a text that a spreadsheet would run is marked as text', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) assert.equal(withoutFormula(text), `'${text}`)
  for (const text of ['', 'a=1', ' =1', '1-1', "'x"]) assert.equal(withoutFormula(text), text)
})
