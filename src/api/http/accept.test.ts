import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowFormOf } from './accept.ts'

test('rows come as lines to those who name that form, and as JSON to everybody else', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['*/*', undefined],
    ['text/html,application/xhtml+xml,*/*;q=0.8', undefined],
    ['image/png', undefined],
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['application/x-ndjson', 'ndjson'],
    ['text/csv, */*', 'csv'],
    ['application/json, text/csv', undefined],
    ['application/json;q=0.5, text/csv;q=0.9, application/x-ndjson', 'ndjson'],
    ['text/csv;q=0', undefined],
    ['text/csv;q=x', undefined],
    ['application/x-ndjson;q=0.4, text/csv;q=0.4', 'csv'],
  ]
  for (const [accept, form] of cases) assert.equal(rowFormOf(accept), form, accept)
})
