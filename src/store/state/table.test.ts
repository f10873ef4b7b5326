import assert from 'node:assert/strict'
import { test } from 'node:test'
import { int, text } from './column.ts'
import { StateTable } from './table.ts'
import { defineTable } from './table-def.ts'

const definition = defineTable({ name: 'entry', key: ['id'], residence: 'all', columns: { id: int, owner: text } })

const LIMITS = { few: 2, many: 4, recentBatches: 2 }

/** Runs one batch, and returns what it writes. */
function inBatch<Row extends object>(table: StateTable<Row>, batch: number, change: () => void) {
  table.beginBatch(batch)
  change()
  return table.takeChanges()
}

test('a row that was removed leaves memory once its removal is committed', () => {
  const table = new StateTable(definition)
  inBatch(table, 1, () => {
    for (let id = 1; id <= 3; id++) table.insert({ id, owner: 'a' })
  })
  inBatch(table, 2, () => {
    table.remove(1)
    table.remove(2)
  })
  table.evict(1, LIMITS)
  assert.equal(table.size, 3)
  table.evict(2, LIMITS)
  assert.equal(table.size, 1)
})

test('a row that comes again in the place of a removed one stays, and its removal is written again', () => {
  const table = new StateTable(definition)
  inBatch(table, 1, () => table.insert({ id: 1, owner: 'a' }))
  assert.deepEqual(inBatch(table, 2, () => table.remove(1))?.deletes, [['1']])
  table.beginBatch(3)
  table.insert({ id: 1, owner: 'b' })
  table.evict(2, LIMITS)
  assert.equal(table.get(1)?.owner, 'b')
  assert.deepEqual(table.takeChanges()?.upserts, [['1'], ['b']])
  table.beginBatch(4)
  table.remove(1)
  table.evict(3, LIMITS)
  assert.equal(table.get(1), undefined)
  assert.deepEqual(table.takeChanges()?.deletes, [['1']])
  table.evict(4, LIMITS)
  assert.equal(table.size, 0)
})

const loaded = defineTable({
  name: 'loaded',
  key: ['id'],
  residence: 'keys',
  columns: { id: int, owner: text },
  groups: { owner: (row) => row.owner },
})

const idsOf = (table: StateTable<{ id: number; owner: string }>) => [...table.all()].map(({ id }) => id)

test('rows that the last batches did not use are dropped, down to a few', () => {
  const table = new StateTable(loaded)
  inBatch(table, 1, () => {
    for (const id of ['1', '2', '3', '4']) table.adopt([id, 'a'])
  })
  inBatch(table, 2, () => table.edit(1))
  inBatch(table, 3, () => table.adopt(['5', 'b']))
  table.evict(3, LIMITS)
  assert.deepEqual(idsOf(table), [1, 5])
  assert.deepEqual(
    table.inGroup('owner', 'a').map(({ id }) => id),
    [1],
  )
})

test('of rows that are all in use the longest known are dropped above the limit, but none that is not committed', () => {
  const table = new StateTable(loaded)
  inBatch(table, 1, () => {
    for (let id = 1; id <= 6; id++) table.adopt([String(id), 'a'])
    table.edit(1)
  })
  table.evict(0, LIMITS)
  assert.equal(table.size, 6)
  inBatch(table, 2, () => table.edit(2))
  table.evict(1, LIMITS)
  assert.deepEqual(idsOf(table), [2, 5, 6])
})

test('a group holds its rows until the last one is gone', () => {
  const grouped = new StateTable(
    defineTable({
      name: 'grouped',
      key: ['id'],
      residence: 'all',
      columns: { id: int, owner: text },
      groups: { owner: (row) => row.owner },
    }),
  )
  for (const id of [1, 2, 3]) grouped.insert({ id, owner: 'a' })
  grouped.remove(2)
  assert.deepEqual(
    grouped.inGroup('owner', 'a').map(({ id }) => id),
    [1, 3],
  )
  grouped.remove(1)
  grouped.remove(3)
  assert.deepEqual(grouped.inGroup('owner', 'a'), [])
  grouped.insert({ id: 2, owner: 'a' })
  assert.deepEqual(
    grouped.inGroup('owner', 'a').map(({ id }) => id),
    [2],
  )
})

test('rows of a group that nothing asks for again leave memory once they are committed', () => {
  const table = new StateTable({ ...loaded, residence: 'all' })
  inBatch(table, 1, () => {
    for (const id of [1, 2, 3]) table.insert({ id, owner: id === 3 ? 'b' : 'a' })
  })
  inBatch(table, 2, () => {
    table.edit(1)
    table.release('owner', 'a')
  })
  table.evict(1, LIMITS)
  assert.deepEqual(idsOf(table), [1, 3])
  table.evict(2, LIMITS)
  assert.deepEqual(idsOf(table), [3])
  assert.deepEqual(table.inGroup('owner', 'a'), [])
})

test('rows that are only ever written leave memory once they are committed', () => {
  const table = new StateTable({ ...definition, loadWhere: 'false' })
  inBatch(table, 1, () => table.insert({ id: 1, owner: 'a' }))
  table.evict(0, LIMITS)
  assert.equal(table.size, 1)
  table.evict(1, LIMITS)
  assert.equal(table.size, 0)
})

test('a row that was not loaded is absent only when its ids are new, or all rows of one of them were loaded', () => {
  const table = new StateTable(
    defineTable({
      name: 'held',
      key: ['validator_id', 'address_id'],
      residence: 'keys',
      bornWith: { validator_id: 'validator', address_id: 'address' },
      columns: { validator_id: int, address_id: int },
    }),
  )
  const ids = { address: 20, namespace: 0, validator: 3 }
  table.beginBatch(1, ids)
  assert.throws(() => table.get(3, 20), { code: 'row_not_loaded' })
  assert.equal(table.get(4, 20), undefined)
  assert.equal(table.get(3, 21), undefined)
  table.markWhole('validator_id', [3])
  table.markWhole('address_id', [7, 8])
  for (const [validator, address] of [
    [3, 20],
    [2, 8],
  ] as const)
    assert.equal(table.get(validator, address), undefined)
  assert.throws(() => table.get(2, 20), { code: 'row_not_loaded' })
  table.beginBatch(2, ids)
  assert.throws(() => table.get(3, 20), { code: 'row_not_loaded' })
})
