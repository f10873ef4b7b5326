import assert from 'node:assert/strict'
import pg from 'pg'
import { deriveBlock } from '../../src/derive/block.ts'
import { deriveGenesis } from '../../src/derive/genesis.ts'
import { counterChecks, linkChecks } from '../../src/store/audit/chain-checks.ts'
import { type Check, runChecks } from '../../src/store/audit/check.ts'
import { historyChecks } from '../../src/store/audit/history-checks.ts'
import { moneyChecks, stakeChecks } from '../../src/store/audit/money-checks.ts'
import { checkSeries } from '../../src/store/audit/series-checks.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { packBlock } from '../../src/store/pack/pack-block.ts'
import type { PackedBlock } from '../../src/store/pack/packed-block.ts'
import { Writer } from '../../src/store/write/writer.ts'
import type { ChainBlock } from '../../src/types/chain.ts'
import { CHAIN_ID } from '../builders.ts'
import { freshDatabase } from './database.ts'
import { digestOver } from './digest.ts'
import { SCHEMA } from './templates.ts'

export type BuiltChain = { url: string; sql: Db; close: () => Promise<void> }

/**
 * `replay`: also take all blocks back and write them again, in one batch; neither may leave a trace. At most 100 blocks.
 * `auditEach`: the pools have to hold the stake after every block, not only after the last.
 * `forgetEach`: nothing stays in memory between two blocks, as if every row had been dropped.
 */
export type IndexOptions = { replay?: boolean; auditEach?: boolean; forgetEach?: boolean }

const UNDO_DEPTH = 101

/**
 * Blocks made from nothing, through the real derive and write path, each in its own transaction. Every invariant of the audit
 * must hold after the last block.
 */
export async function indexBlocks(
  genesis: Record<string, unknown>,
  blocks: ChainBlock[],
  { replay = false, auditEach = false, forgetEach = false }: IndexOptions = {},
): Promise<BuiltChain> {
  const url = await freshDatabase()
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: UNDO_DEPTH }, new AbortController().signal)
  const sql = openReader({ url, schema: SCHEMA, max: 2 })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const first = packBlock(deriveGenesis(genesis).facts)
    await writer.commitGenesis(first, { chainId: CHAIN_ID, genesisHash: '00' })
    const start = replay ? await digestOver(client) : {}
    const packed = () => blocks.map((block) => packBlock(deriveBlock(block)))
    for (const block of packed()) {
      await writer.commit([block])
      await writer.settled()
      if (forgetEach) await writer.reload()
      if (auditEach) await assertChecks(sql, stakeChecks, `block ${block.height}`)
    }
    await assertInvariants(sql)
    if (replay && blocks.length > 0) await assertReplay(writer, client, { height: first.height, digest: start }, packed())
  } catch (error) {
    await sql.end()
    throw error
  } finally {
    await client.end()
    await writer.close()
  }
  return { url, sql, close: () => sql.end() }
}

/** Indexes, takes the blocks back, where nothing may be left, and indexes them again, where nothing may differ. */
export function indexAndReplay(
  genesis: Record<string, unknown>,
  blocks: ChainBlock[],
  options: IndexOptions = {},
): Promise<BuiltChain> {
  return indexBlocks(genesis, blocks, { ...options, replay: true })
}

type Start = { height: number; digest: Record<string, string> }

/** I3 and I5: apply and revert leave every table as it was, and the size of a batch does not matter. */
async function assertReplay(writer: Writer, client: pg.Client, start: Start, blocks: PackedBlock[]): Promise<void> {
  const end = await digestOver(client)
  await writer.revertTo(start.height)
  assert.deepEqual(await digestOver(client), start.digest)
  await writer.commit(blocks)
  await writer.settled()
  assert.deepEqual(await digestOver(client), end)
}

async function assertChecks(sql: Db, checks: Check[], where?: string): Promise<void> {
  const found: string[] = []
  for await (const { violations } of runChecks(sql, checks))
    found.push(...violations.map(({ invariant, check, detail }) => `${invariant} ${check}: ${detail}`))
  assert.deepEqual(found, [], where)
}

export async function assertInvariants(sql: Db): Promise<void> {
  await assertChecks(sql, [...linkChecks, ...counterChecks, ...moneyChecks, ...stakeChecks, ...historyChecks])
  const found: string[] = []
  for await (const { invariant, check, detail } of checkSeries(sql)) found.push(`${invariant} ${check}: ${detail}`)
  assert.deepEqual(found, [])
}
