import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { Mppx } from 'mppx/client'
import { charge } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { demoPayerKey } from '../../src/pay/local-chain/accounts.ts'
import { localSettings, startLocalChain } from '../../src/pay/local-chain/local-chain.ts'
import { installMulticall } from '../../src/pay/local-chain/multicall.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { printTable } from '../harness/measure.ts'

const CONNECTIONS = 8
/** Payments that settle in one transaction. */
const BATCH = 10
const PURCHASES = 100
/** An unpaid request may cost that much, and nothing of the database. */
const UNPAID_BUDGET_MS = 0.5
const NO_LIMITS = {
  challengesPerS: 1e9,
  challengeBurst: 1e9,
  failuresPerMinute: 1e9,
  failureBurst: 1e9,
  unsoldPerMinute: 1e9,
  unsoldBurst: 1e9,
}

type Row = { request: string; 'CPU ms each': string; 'requests/s': number; 'db transactions': number }

/** CPU of the serving process per unpaid, refused and paid request, and the database transactions it made. */
export async function run(args: string[]): Promise<void> {
  const seconds = Number(args[0] ?? 3)
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const [database, chain] = await Promise.all([startEmbedded({ directory }), startLocalChain()])
  await migrate(database.url, SHARED_SCHEMA, 'shared')
  const settings = { ...localSettings(chain, 'http://127.0.0.1'), limits: NO_LIMITS, pollMs: 20 }
  const child = serve(settings, database.url)
  const sql = openPool('pay', { url: database.url, schema: SHARED_SCHEMA, max: 1 })
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const measure = measurer(child, sql)
    const target = `${url}/v1/head`
    await shoot(target, {}, 1)
    const rows = [
      await measure('unpaid: 402 with both offers', () => shoot(target, {}, seconds)),
      await measure('forged MPP credential', () => shoot(target, { authorization: FORGED }, seconds)),
      await measure('MPP paid, settled on the local chain', () => buy(target, settings)),
    ]
    printTable(`paid surface: one process, ${CONNECTIONS} connections, chain ${chain.kind}`, rows)
    const alone = await averageGas(chain.rpcUrl, sql)
    const together = chain.kind === 'anvil' ? await measureBatches(settings, database.url, sql) : 'not measured'
    console.log(`gas of a settled payment: ${alone} alone, ${together} in batches of ${BATCH}`)
    const unpaid = rows[0]!
    const isWithin = Number(unpaid['CPU ms each']) <= UNPAID_BUDGET_MS && unpaid['db transactions'] === 0
    console.log(
      `unpaid request: ${unpaid['CPU ms each']} ms CPU (budget ${UNPAID_BUDGET_MS}), ${unpaid['db transactions']} database transactions: ${isWithin ? 'within' : 'OVER BUDGET'}`,
    )
    if (!isWithin) process.exitCode = 1
  } finally {
    child.disconnect()
    await sql.end()
    await Promise.all([database.stop(), chain.stop()])
    await rm(directory, { recursive: true, force: true })
  }
}

function serve(settings: PaySettings, databaseUrl: string): ChildProcess {
  const script = fileURLToPath(new URL('./pay-process.js', import.meta.url))
  return fork(script, [JSON.stringify({ settings, databaseUrl })])
}

/** Gas of a payment that shares its transaction with others. */
async function measureBatches(settings: PaySettings, databaseUrl: string, sql: SqlPool): Promise<number> {
  await installMulticall(settings.evm!.rpcUrl)
  await sql`delete from astrolabe.payment`
  // Longer than it takes to sign ten payments, so that a batch is full before its time is over.
  const evm = { ...settings.evm!, batchMs: 3000, batchSize: BATCH }
  const child = serve({ ...settings, evm }, databaseUrl)
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    await buy(`${url}/v1/head`, settings, BATCH)
    return await averageGas(evm.rpcUrl, sql)
  } finally {
    child.disconnect()
  }
}

/** Per payment: a transaction of several counts once. */
async function averageGas(rpcUrl: string, sql: SqlPool): Promise<number> {
  const rows = await sql<{ tx_hash: Hex; payments: number }[]>`
    select tx_hash, count(*)::int as payments from astrolabe.payment where settled_at is not null group by tx_hash`
  const client = openClient({ url: rpcUrl, isBatched: true })
  const receipts = await Promise.all(rows.map(({ tx_hash: hash }) => client.getTransactionReceipt({ hash })))
  const payments = rows.reduce((sum, row) => sum + row.payments, 0)
  return Math.round(receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0) / payments)
}

/** Decodes, and its challenge is nobody's. */
const FORGED = `Payment ${Buffer.from(
  JSON.stringify({
    challenge: {
      id: 'x',
      realm: 'x',
      method: 'evm',
      intent: 'charge',
      request: Buffer.from('{}').toString('base64url'),
      expires: '2100-01-01T00:00:00.000Z',
    },
    payload: {},
  }),
).toString('base64url')}`

function measurer(child: ChildProcess, sql: SqlPool) {
  const cpu = async () => {
    child.send('cpu')
    const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
    return (cpu.user + cpu.system) / 1000
  }
  // Idle connections report late, so this is a lower bound; none at all stays none. The question itself is counted, too.
  const statements = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<
      { count: string }[]
    >`select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`
    return Number(row!.count)
  }
  const own = async () => {
    const first = await statements()
    return (await statements()) - first
  }
  return async (request: string, work: () => Promise<number>): Promise<Row> => {
    const perQuestion = await own()
    const [before, counted] = [await cpu(), await statements()]
    const start = performance.now()
    const requests = await work()
    const ms = performance.now() - start
    const spent = (await cpu()) - before
    // The server's connections report what they did within a second of doing nothing.
    await delay(1500)
    const made = (await statements()) - counted - perQuestion
    return {
      request,
      'CPU ms each': (spent / requests).toFixed(2),
      'requests/s': Math.round((requests * 1000) / ms),
      'db transactions': Math.max(0, made),
    }
  }
}

async function shoot(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers })
  return result.requests.total
}

async function buy(url: string, { evm }: PaySettings, buyers = CONNECTIONS): Promise<number> {
  const { tokenName, tokenVersion, chainId, token, decimals } = evm!
  const account = privateKeyToAccount(demoPayerKey())
  const method = charge({
    account,
    authorization: { name: tokenName, version: tokenVersion },
    networks: [chainId],
    currencies: [token],
    decimals,
  })
  const client = Mppx.create({ polyfill: false, methods: [method] })
  let left = PURCHASES
  await Promise.all(
    Array.from({ length: buyers }, async () => {
      while (left-- > 0) {
        const response = await client.fetch(url)
        if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
        await response.arrayBuffer()
      }
    }),
  )
  return PURCHASES
}
