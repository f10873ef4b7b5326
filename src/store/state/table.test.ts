import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int, text } from './column.ts'
import { defineTable, StateTable } from './table.ts'

const definition = defineTable({ name: 'entry', key: ['id'], residence: 'all', columns: { id: int, owner: text } })

test('a row that was removed leaves memory once its removal is committed', () => {
  const table = new StateTable(definition)
  for (let id = 1; id <= 3; id++) table.insert({ id, owner: 'a' })
  table.takeChanges(1)
  table.beginHeight(2)
  table.remove(1)
  table.remove(2)
  table.takeChanges(2)
  table.evict(10, 1)
  assert.equal(table.size, 3)
  table.evict(10, 2)
  assert.equal(table.size, 1)
})

test('a row that comes again in the place of a removed one stays, and its removal is written again', () => {
  const table = new StateTable(definition)
  table.insert({ id: 1, owner: 'a' })
  table.takeChanges(1)
  table.remove(1)
  assert.deepEqual(table.takeChanges(2)?.deletes, [['1']])
  table.insert({ id: 1, owner: 'b' })
  table.evict(10, 2)
  assert.equal(table.get(1)?.owner, 'b')
  assert.deepEqual(table.takeChanges(3)?.upserts, [['1'], ['b']])
  table.remove(1)
  table.evict(10, 3)
  assert.equal(table.get(1), undefined)
  assert.deepEqual(table.takeChanges(4)?.deletes, [['1']])
  table.evict(10, 4)
  assert.equal(table.size, 0)
})
