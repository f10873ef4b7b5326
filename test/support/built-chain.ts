import assert from 'node:assert/strict'
import { deriveBlock } from '../../src/derive/block.ts'
import { deriveGenesis } from '../../src/derive/genesis.ts'
import { counterChecks, linkChecks } from '../../src/store/audit/chain-checks.ts'
import { runChecks } from '../../src/store/audit/check.ts'
import { moneyChecks, stakeChecks } from '../../src/store/audit/money-checks.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { packBlock } from '../../src/store/pack/pack-block.ts'
import { Writer } from '../../src/store/writer.ts'
import type { ChainBlock } from '../../src/types/chain.ts'
import { CHAIN_ID } from '../builders.ts'
import { freshDatabase } from './database.ts'
import { SCHEMA } from './templates.ts'

export type BuiltChain = { url: string; sql: Db; close: () => Promise<void> }

/**
 * Blocks made from nothing, through the real derive and write path, each in a transaction of its own. Every invariant of the audit
 * must hold after the last block, and taking all blocks back and writing them again must change nothing.
 */
export async function indexBlocks(genesis: Record<string, unknown>, blocks: ChainBlock[]): Promise<BuiltChain> {
  const url = await freshDatabase()
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
  const sql = openReader({ url, schema: SCHEMA, max: 2 })
  try {
    await writer.commitGenesis(packBlock(deriveGenesis(genesis).facts), { chainId: CHAIN_ID, genesisHash: '00' })
    for (const block of blocks) {
      await writer.commit([packBlock(deriveBlock(block))])
      await writer.settled()
    }
  } finally {
    await writer.close()
  }
  await assertInvariants(sql)
  return { url, sql, close: () => sql.end() }
}

export async function assertInvariants(sql: Db): Promise<void> {
  const found: string[] = []
  for await (const { violations } of runChecks(sql, [...linkChecks, ...counterChecks, ...moneyChecks, ...stakeChecks]))
    found.push(...violations.map(({ invariant, check, detail }) => `${invariant} ${check}: ${detail}`))
  assert.deepEqual(found, [])
}
