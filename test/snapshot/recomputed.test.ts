import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import type { BlockReader } from '../../src/chain/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { auditBlock, chooseHeights } from '../../src/pipeline/verify/audit-blocks.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import { freshDatabase } from '../support/database.ts'
import { fewOf } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'

/** Rows that do not follow from the chain, as a publisher of a snapshot may have changed them, each found by recomputing its height. */

const CHAIN = 'astrolabe-devnet-1'
const { signal } = new AbortController()
let db: Db
let client: pg.Client
let reader: BlockReader & { close(): Promise<void> }

before(async () => {
  const url = await freshDatabase('devnet')
  client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set search_path to ${SCHEMA}`)
  db = openReader({ url, schema: SCHEMA, max: 2 })
  reader = await openRecordingSource(packagePath('data/recordings/devnet'), { cacheBytes: 64 * 2 ** 20 })
})
after(async () => {
  await reader.close()
  await client.end()
  await db.end()
})

const audit = async (height: number) => (await auditBlock({ sql: db, reader, chainId: CHAIN, signal }, height))!

test('the heights of an honest index follow from the chain', async () => {
  const head = (await findHead(db))!
  for (const height of chooseHeights(head, 12)) assert.deepEqual(await audit(height), [])
})

test('a sample has the first and the last height, and none twice', () => {
  const index = { first_height: 0, last_height: 1000, has_state: true }
  const heights = chooseHeights(index, 20)
  assert.deepEqual([heights.length, heights[0], heights.at(-1)], [20, 1, 1000])
  assert.equal(new Set(heights).size, 20)
  assert.deepEqual(chooseHeights({ first_height: 7, last_height: 9, has_state: false }, 20), [7, 8, 9])
  assert.deepEqual(chooseHeights({ ...index, last_height: 3 }, 'all'), [1, 2, 3])
})

const zero = (column: string) => `${column} = set_byte(${column}, 3, get_byte(${column}, 3) # 1)`

for (const [what, change, where, found] of fewOf(
  [
    ['the hash of a tx', `update tx set ${zero('hash')}`, 'tx', /tx \d+: hash is/],
    ['the memo of a tx', `update tx set memo = 'paid'`, 'tx', /tx \d+: memo is/],
    ['the fee of a tx', 'update tx set fee = fee + 1', 'tx', /tx \d+: fee is/],
    ['what came of a tx', 'update tx set success = not success', 'tx', /tx \d+: success is/],
    ['the gas of a tx', 'update tx set gas_used = gas_used + 1', 'tx', /tx \d+: gas_used is/],
    ['who signed a tx', 'update tx set signer_ids = array[1]', 'tx', /tx \d+: signers is/],
    ['a message', `update message set ${zero('value')}`, 'message where length(value) > 4', /message \d+: value is/],
    ['the type of a message', 'update message set type = type + 1', 'message', /message \d+: type is/],
    ['the commitment of a blob', `update blob set ${zero('commitment')}`, 'blob', /blob \d+: commitment is/],
    ['the owner of a blob', 'update blob set signer_id = signer_id + 1', 'blob', /blob \d+: signer is/],
    ['a hash of a header', `update block set ${zero('app_hash')}`, 'block where height > 1', /block \d+: app_hash is/],
    ['the hash of a block', `update block set ${zero('hash')}`, 'block where height > 1', /block \d+: hash is/],
    ['the time of a block', `update block set time = time + interval '1 s'`, 'block where height > 1', /block \d+: time is/],
    [
      'the proposer of a block',
      'update block set proposer_id = proposer_id % 3 + 1',
      'block where height > 1',
      /block \d+: proposer is/,
    ],
    [
      'the votes for a block',
      'update block set signers = set_bit(signers, 1, 1 - get_bit(signers, 1))',
      'block where height > 2',
      /block \d+: the votes/,
    ],
  ] as const,
  6,
))
  test(`${what} that was changed is found`, async () => {
    const { rows } = await client.query<{ height: number }>(`select height from ${where} order by height desc limit 1`)
    const { height } = rows[0]!
    const isOne = where.startsWith('block')
      ? ''
      : `and id = (select max(id) from ${where.split(' ')[0]} where height = ${height})`
    const table = where.split(' ')[0]!
    await client.query(`drop table if exists kept; create temp table kept as select * from ${table} where height = ${height}`)
    await client.query(`${change} where height = ${height} ${isOne}`)
    const lines = await audit(height)
    await client.query(`delete from ${table} where height = ${height}`)
    await client.query(`insert into ${table} select * from kept`)
    assert.ok(
      lines.some((line) => found.test(line)),
      `height ${height}: ${JSON.stringify(lines)}`,
    )
    assert.deepEqual(await audit(height), [])
  })

test('a changed power of a validator is found, in the past and for the block that comes next', async () => {
  const { last_height: last } = (await findHead(db))!
  await client.query('update consensus_power set power = power + 1 where key_id = 1')
  assert.match((await audit(last)).join(), /the validators and their power are not those of its header/)
  await client.query('update consensus_power set power = power - 1 where key_id = 1')
  await client.query('update consensus_validator set power = power + 1')
  assert.match((await audit(last)).join(), /the validators of the next block and their power/)
  await client.query('update consensus_validator set power = power - 1')
  assert.deepEqual(await audit(last), [])
})

test('a height that is missing or that no node has is told apart from a wrong one', async () => {
  assert.deepEqual(await audit(5000), ['block 5000 is missing'])
  const none = { ...reader, readBlock: async () => undefined }
  assert.equal(await auditBlock({ sql: db, reader: none, chainId: CHAIN, signal }, 20), undefined)
})
