import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { freePort } from '../../src/lib/free-port.ts'
import type { Lookup } from '../../src/operations/lookup.ts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { TOKEN_ABI } from '../../src/pay/evm/token.ts'
import { PAY_DEFAULTS } from '../../src/pay/from-config.ts'
import {
  LOCAL_CHAIN_ID,
  RECIPIENT,
  TOKEN_DECIMALS,
  TOKEN_NAME,
  TOKEN_VERSION,
  WORTHLESS_GAS,
} from '../../src/pay/local-chain/accounts.ts'
import { findAnvil, fundGas, startAnvil, type TestChain } from '../../src/pay/local-chain/anvil.ts'
import { type OpenPaidOptions, openPaid } from '../../src/pay/open.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import { openPool, type SqlPool } from '../../src/store/db.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { createDatabase } from '../support/templates.ts'

/** A payment chain, a database and paid servers on them, all of this test file alone. */
export type Bed = {
  chain: TestChain
  databaseUrl: string
  ledger: SqlPool
  settings: PaySettings
  /** what the recipient owns */
  revenue: () => Promise<bigint>
  rpc: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>
  serve: (options?: ServeOptions) => Promise<Server>
  /** runs when the bed stops, also after a failed test */
  onStop: (stop: () => Promise<unknown>) => void
  stop: () => Promise<void>
}

export type ServeOptions = Omit<Partial<OpenPaidOptions>, 'settings'> & { settings?: Partial<PaySettings> }
export type Server = { url: string; settings: PaySettings; close: () => Promise<void> }

/** Every operation is found; what it was asked for stands in the answer. */
export const echo: Lookup = async (operation, { params, query }) => ({
  status: 200,
  body: Buffer.from(`${JSON.stringify({ operation: operation.id, inputs: params.key + query.key })}\n`),
})

export const silent: Logger = pino({ level: 'silent' })

/** `databaseUrl`: a database that somebody else ends; a new one otherwise */
export async function makeBed({ databaseUrl }: { databaseUrl?: string } = {}): Promise<Bed> {
  const binary = findAnvil()
  if (!binary) throw new Error('these tests need the anvil package for this platform')
  const [chain, database] = await Promise.all([
    startAnvil(binary),
    databaseUrl === undefined ? openDatabase() : { url: databaseUrl, stop: async () => {} },
  ])
  await migrate(database.url, SHARED_SCHEMA, 'shared')
  const ledger = openPool('pay', { schema: SHARED_SCHEMA, url: database.url, max: 2 })
  const settlerKey = generatePrivateKey()
  await fundGas(chain.rpcUrl, privateKeyToAddress(settlerKey))
  const client = openClient({ url: chain.rpcUrl })
  const servers = new Set<Server>()
  const stops: (() => Promise<unknown>)[] = []
  const settings = settingsFor(chain, settlerKey)

  const serve = async ({ settings: changed, ...options }: ServeOptions = {}): Promise<Server> => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const merged = { ...settings, baseUrl: url, ...changed }
    const paid = await openPaid({
      lookup: echo,
      databaseUrl: database.url,
      log: silent,
      connections: 4,
      ...options,
      settings: merged,
    })
    await paid.app.listen({ port, host: '127.0.0.1' })
    const server = {
      url,
      settings: merged,
      close: async () => {
        if (servers.delete(server)) await paid.close()
      },
    }
    servers.add(server)
    return server
  }

  return {
    chain,
    databaseUrl: database.url,
    ledger,
    settings,
    revenue: () => client.readContract({ address: chain.token, abi: TOKEN_ABI, functionName: 'balanceOf', args: [RECIPIENT] }),
    rpc: (method, ...params) => client.request({ method, params } as never) as Promise<never>,
    serve,
    onStop: (stop) => stops.push(stop),
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
      await Promise.all([...servers].map((server) => server.close()))
      await ledger.end()
      await Promise.all([chain.stop(), database.stop()])
    },
  }
}

/** A bed with one server, and the address of what most tests buy. */
export async function makeShop(): Promise<{ bed: Bed; server: Server; url: string }> {
  const bed = await makeBed()
  const server = await bed.serve()
  return { bed, server, url: `${server.url}/v1/head` }
}

/** A database of the test run's server; its own server when this file is run alone. */
async function openDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const running = process.env.ASTROLABE_TEST_POSTGRES
  if (running) return { url: await createDatabase(running, `pay_${uniqueId()}`), stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'astrolabe-pay-'))
  const server = await startEmbedded({ directory: folder, ephemeral: true })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function settingsFor(chain: { rpcUrl: string; token: Hex }, settlerKey: Hex): PaySettings {
  return {
    ...PAY_DEFAULTS,
    baseUrl: 'http://127.0.0.1',
    realm: 'paid.test',
    secretKey: randomBytes(32).toString('hex'),
    recipient: RECIPIENT,
    evm: {
      chainId: LOCAL_CHAIN_ID,
      rpcUrl: chain.rpcUrl,
      token: chain.token,
      tokenName: TOKEN_NAME,
      tokenVersion: TOKEN_VERSION,
      decimals: TOKEN_DECIMALS,
      settlerKey,
      ...WORTHLESS_GAS,
    },
    pollMs: 25,
    // All tests come from one address.
    limits: {
      challengesPerS: 10_000,
      challengeBurst: 10_000,
      failuresPerMinute: 100_000,
      failureBurst: 10_000,
      unsoldPerMinute: 100_000,
      unsoldBurst: 10_000,
    },
  }
}

export const uniqueId = (): string => randomUUID().replaceAll('-', '')

/** The ledger is written after the answer went out, also by other processes: it is looked at until it says so. */
export async function reached(ledger: SqlPool, where: Record<string, string>, state: string): Promise<void> {
  const [[column, value] = ['key', '']] = Object.entries(where)
  for (let tries = 0; tries < 200; tries++) {
    const [row] = await ledger<{ state: string }[]>`select state from payment where ${ledger(column)} = ${value}`
    if (row?.state === state) return
    await delay(50)
  }
  throw new Error(`the payment was not ${state}`)
}
