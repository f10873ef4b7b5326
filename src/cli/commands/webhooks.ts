import type { Command } from 'commander'
import { Compile } from 'typebox/compile'
import { createPlans } from '../../access/plans.ts'
import type { Config } from '../../config/schema.ts'
import { AstrolabeError, OperatorError } from '../../lib/errors.ts'
import { openPool, type SqlPool } from '../../store/db.ts'
import { SHARED_SCHEMA } from '../../store/migrations/migrate.ts'
import { findWebhook, listAllWebhooks, type WebhookRow } from '../../store/webhooks/subscriptions.ts'
import type { WebhookManager } from '../../webhooks/manager.ts'
import { NewWebhook } from '../../webhooks/schema.ts'
import { openWebhooks } from '../../webhooks/service.ts'
import { toAttempt, toDelivery, toWebhook } from '../../webhooks/view.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { openKeys } from '../wiring/key-table.ts'
import { openNetworkContext } from '../wiring/network-context.ts'
import { type CommonOptions, configOf, networkOf, readCount, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'

const HOUR_MS = 3_600_000

type CreateOptions = CommonOptions & {
  network?: string
  account: string
  url: string
  events: string
  filters?: string
  description?: string
  from?: number
}

export function registerWebhooksCommand(program: Command): void {
  const webhooks = program.command('webhooks').description('webhooks of all accounts: create, list, test, pause, replay')

  withCommonOptions(webhooks.command('create').description('subscribe for an account and show the signing secret once'))
    .requiredOption('--account <id>', 'account that owns it (`astrolabe keys list`)')
    .requiredOption('--url <url>', 'where events are posted')
    .requiredOption('--events <types>', 'types of events, separated by commas')
    .option('--network <name>', 'network of the configuration (default: the main one)')
    .option('--filters <json>', 'filters as JSON, as in POST /v1/webhooks')
    .option('--description <text>', 'a note')
    .option('--from <height>', 'first height to send', readCount)
    .action((options: CreateOptions) =>
      withTables(options, (_, config) => openManager(config, options.network, (manager) => create(manager, options))),
    )

  withCommonOptions(webhooks.command('list').description('list all webhooks and how they fare'))
    .option('--json', 'print JSON')
    .action((options: CommonOptions & { json?: boolean }) => withTables(options, (sql) => list(sql, options.json === true)))

  const one = (name: string, description: string, work: (manager: WebhookManager, row: WebhookRow) => Promise<unknown>) =>
    withCommonOptions(webhooks.command(name).argument('<id>', 'id of the webhook').description(description)).action(
      (id: string, options: CommonOptions) => withWebhook(options, id, work),
    )
  one('show', 'show one webhook', async (_, row) => toWebhook(row))
  one('test', 'post an event of type webhook.test', async (manager, { account, id }) =>
    toAttempt(await manager.test(account, id)),
  )
  one('pause', 'send nothing until it is resumed', async (manager, { account, id }) =>
    toWebhook(await manager.pause(account, id)),
  )
  one('resume', 'continue where it was paused', async (manager, { account, id }) => toWebhook(await manager.resume(account, id)))
  one('rotate', 'make a new signing secret and show it once', (manager, { account, id }) => manager.rotate(account, id))
  one('delete', 'delete a webhook', async (manager, { account, id }) => toWebhook(await manager.remove(account, id)))
  one('deliveries', 'show its last 100 deliveries', async (manager, { account, id }) =>
    (await manager.deliveries(account, id, { limit: 100 })).map(toDelivery),
  )

  withCommonOptions(
    webhooks
      .command('replay')
      .argument('<id>', 'id of the webhook')
      .argument('<delivery>', 'id of the event')
      .description('post one event again under its id'),
  ).action((id: string, delivery: string, options: CommonOptions) =>
    withWebhook(options, id, async (manager, { account }) => toAttempt(await manager.replay(account, id, delivery))),
  )
}

async function create(manager: WebhookManager, options: CreateOptions): Promise<void> {
  const { account, url, events, filters, description, from } = options
  const wanted: unknown = {
    url,
    events: events.split(','),
    ...(filters !== undefined && { filters: parseJson(filters) }),
    ...(description !== undefined && { description }),
    ...(from !== undefined && { from }),
  }
  const check = Compile(NewWebhook)
  if (!check.Check(wanted)) {
    const [error] = check.Errors(wanted)
    throw new OperatorError('bad_webhook', `${error?.instancePath.slice(1) ?? ''} ${error?.message ?? 'is not valid'}`.trim())
  }
  const { row, secret } = await manager.create(account, Number.POSITIVE_INFINITY, wanted)
  process.stdout.write(`${secret}\n`)
  process.stderr.write(`id ${row.id}, sends what comes after height ${row.height}: keep the secret now, it is not shown again\n`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OperatorError('bad_option', '--filters takes JSON, as {"signer":["celestia1…"]}')
  }
}

async function list(sql: SqlPool, asJson: boolean): Promise<void> {
  const rows = await listAllWebhooks(sql)
  if (asJson) return print(rows.map((row) => ({ network: row.network, account: row.account, ...toWebhook(row) })))
  const table = rows.map((row) => ({
    id: row.id,
    network: row.network,
    account: row.account,
    events: row.events.join(','),
    state: row.state === 'paused' ? `paused (${row.paused_reason})` : row.failures > 0 ? `failing (${row.failures})` : 'active',
    height: row.height,
    url: row.url,
    'last error': row.last_error ?? '',
  }))
  process.stdout.write(table.length > 0 ? formatTable(table) : 'there are no webhooks yet\n')
}

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 1)}\n`)

function withTables(options: CommonOptions, work: (sql: SqlPool, config: Config) => Promise<void>): Promise<never> {
  const config = configOf(options)
  return runCommand(config.log_level, async () => {
    const database = await openDatabase(config)
    const sql = openPool('webhooks', { url: database.url, schema: SHARED_SCHEMA })
    try {
      await work(sql, config)
    } finally {
      await sql.end()
      await database.stop()
    }
  })
}

/** The manager of the webhook's own network; the answer is printed. */
function withWebhook(
  options: CommonOptions,
  id: string,
  work: (manager: WebhookManager, row: WebhookRow) => Promise<unknown>,
): Promise<never> {
  return withTables(options, async (sql, config) => {
    const row = await findWebhook(sql, id)
    if (!row)
      throw new OperatorError('unknown_webhook', `there is no webhook ${id}: \`astrolabe webhooks list\` shows all of them`)
    await openManager(config, row.network, async (manager) => print(await work(manager, row)))
  })
}

async function openManager(
  config: Config,
  network: string | undefined,
  work: (manager: WebhookManager) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(config)
  const { sql: keys, secrets } = await openKeys(config, database.url, 1)
  await keys.end()
  const blocks = { read: async () => undefined }
  const log = { warn: () => {} } as never
  const { ctx, close } = await openNetworkContext(config, networkOf(config, network), database.url, () => blocks, {
    log,
    signal: new AbortController().signal,
  })
  const graceMs = config.access.rotation_grace_hours * HOUR_MS
  const plans = createPlans(config.access.plans)
  const service = openWebhooks(ctx, { url: database.url, config: config.webhooks, plans, pepper: secrets.pepper, graceMs })
  try {
    await work(service.manager)
  } catch (error) {
    // The sentence for a caller of the API is shown to the operator too.
    if (error instanceof AstrolabeError) throw new OperatorError(error.code, error.message)
    throw error
  } finally {
    await service.close()
    await close()
    await database.stop()
  }
}
