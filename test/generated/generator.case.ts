import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { encodeAddress } from '../../src/lib/encoding/bech32.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { DEMO_PROFILE, demoGenesisTime, demoPast } from '../../src/simulation/generated/demo.ts'
import { ChainGenerator } from '../../src/simulation/generated/generator.ts'
import { type GeneratedState, readState, writeState } from '../../src/simulation/generated/state.ts'
import type { ForgedBlock } from '../../src/simulation/node/forge.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'
import { anAccount } from '../../src/simulation/txs/accounts.ts'
import { auditIndex } from '../../src/store/audit/audit.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { toRaw } from '../live/branches.ts'
import { startIndexer } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'

const CHAIN_ID = 'astrolabe-generated-1'
const NOW = Date.parse('2026-11-15T12:00:00Z')
const options = { chainId: CHAIN_ID, genesisTime: demoGenesisTime(NOW), profile: DEMO_PROFILE }
const times = [...demoPast(NOW, createSeededRandom(1))]
const digest = (blocks: ForgedBlock[]) => hash('sha256', JSON.stringify(blocks), 'hex')

/** Tests of the default run. */
export function testGenerator(): void {
  longTest('the same options make the same chain, also when it is continued from a kept state', () => {
    const first = times.slice(0, 120)
    const whole = new ChainGenerator(options)
    const blocks = first.map((time) => whole.next(time))
    const again = new ChainGenerator(options)
    const head = first.slice(0, 70).map((time) => again.next(time))
    const from = { state: readState(writeState(again.state)), parent: head.at(-1)! }
    const continued = new ChainGenerator({ ...options, from })
    const tail = first.slice(70).map((time) => continued.next(time))
    assert.equal(digest([...head, ...tail]), digest(blocks))
    const other = new ChainGenerator({ ...options, profile: { ...DEMO_PROFILE, seed: 1 } })
    assert.notEqual(digest(first.map((time) => other.next(time))), digest(blocks))
  })

  longTest('accounts and namespaces that nobody has seen keep coming where the profile says so, the same ones every time', () => {
    const rollups = DEMO_PROFILE.rollups.map((rollup) => ({ ...rollup, fresh: 0.3 }))
    const growing = { ...options, profile: { ...DEMO_PROFILE, users: 5, newcomers: 0.5, rollups } }
    const make = () => {
      const generator = new ChainGenerator(growing)
      const blocks = times.slice(0, 80).map((time) => generator.next(time))
      return { generator, blocks }
    }
    const { generator, blocks } = make()
    const { newcomers = 0, freshNamespaces = 0, balances, sequences } = generator.state
    assert.ok(newcomers > 10 && freshNamespaces > 10, `${newcomers} accounts, ${freshNamespaces} namespaces`)
    const accounts = Array.from({ length: newcomers }, (_, i) => anAccount(`user ${6 + i}`).text)
    assert.ok(accounts.every((account) => (balances[account] ?? 0n) > 0n))
    assert.ok(accounts.some((account) => sequences[account] !== undefined))
    assert.equal(digest(make().blocks), digest(blocks))
  })
}

/** The past of a demo chain, or its first blocks. */
export const testPast = (most = times.length): Promise<void> =>
  test(`${most === times.length ? 'the whole past' : `the first ${most} blocks`} of a demo chain are verified, indexed from a node and pass the audit`, async (t) => {
    const startedAt = process.cpuUsage()
    const generator = new ChainGenerator(options)
    // The last block only carries the votes for the one before.
    const blocks = times.slice(0, most - 1).map((time) => generator.next(time))
    const beforeLast = readState(writeState(generator.state))
    blocks.push(generator.next(times[most - 1]!))
    t.diagnostic(`${blocks.length} blocks generated in ${process.cpuUsage(startedAt).user / 1000} ms of CPU`)
    const node = await startReplayNode({
      chainId: CHAIN_ID,
      genesis: generator.genesis,
      blocks: toRaw(blocks),
      startHeight: blocks.length - 1,
    })
    const url = await freshDatabase()
    await startIndexer(url, [node], { follow: false, verifyCommits: true, dataRoots: 'all' }).ended
    await node.close()
    const sql = openReader({ url, schema: SCHEMA, max: 2 })
    try {
      for await (const { name, violations } of auditIndex(sql)) assert.deepEqual(violations, [], name)
      // The generator keeps books of its own, by other rules than the index: at the end both must agree on every account.
      assert.deepEqual(await readBooks(sql), booksOf(beforeLast))
      if (most < times.length) return
      const kinds = await sql<{ n: string }[]>`select count(distinct type) as n from message`
      assert.ok(Number(kinds[0]!.n) >= 12, `${kinds[0]!.n} kinds of messages`)
      const votes = await sql<{ status: string }[]>`select distinct status from proposal order by 1`
      assert.deepEqual(
        votes.map(({ status }) => status),
        ['active', 'applied', 'rejected'],
      )
    } finally {
      await sql.end()
    }
  })

type Books = Record<string, [spendable: string, delegated: string, unbonding: string]>

async function readBooks(sql: Db): Promise<Books> {
  const rows = await sql<{ address: Buffer; spendable: string; delegated: string; unbonding: string }[]>`
    select address, spendable::text, delegated::text, unbonding::text from address order by address`
  const books = rows.map(({ address, spendable, delegated, unbonding }) => [
    encodeAddress('celestia', address.toString('hex')),
    [spendable, delegated, unbonding],
  ])
  return withoutEmpty(Object.fromEntries(books))
}

function booksOf({ balances, delegations, unbondings }: GeneratedState): Books {
  const sumOf = (entries: { by: string; amount: bigint }[], of: string) =>
    String(entries.reduce((sum, { by, amount }) => (by === of ? sum + amount : sum), 0n))
  const books = Object.entries(balances).map(([address, amount]) => [
    address,
    [String(amount), sumOf(delegations, address), sumOf(unbondings, address)],
  ])
  return withoutEmpty(Object.fromEntries(books))
}

const withoutEmpty = (books: Books): Books =>
  Object.fromEntries(Object.entries(books).filter(([, amounts]) => amounts.some((amount) => amount !== '0')))
