import type { Command } from 'commander'
import type { Config } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import {
  createKey,
  type KeyRole,
  type KeySecrets,
  type ListedKey,
  listKeys,
  type MadeKey,
  revokeKey,
  rotateKey,
} from '../../store/access/keys.ts'
import { listUsage } from '../../store/access/usage.ts'
import type { SqlPool } from '../../store/db.ts'
import { formatTable } from '../terminal/table.ts'
import { openDatabase } from '../wiring/database.ts'
import { openKeys } from '../wiring/key-table.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'

type Context = { config: Config; sql: SqlPool; secrets: KeySecrets }

const ROLES: readonly string[] = ['client', 'operator', 'admin'] satisfies KeyRole[]
const HOUR_MS = 3_600_000

export function registerKeysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys: create, list, rotate, revoke')

  withCommonOptions(keys.command('create').description('create a key and show it once'))
    .option('--plan <name>', 'plan of the configuration', 'free')
    .requiredOption('--label <text>', 'who the key is for')
    .option('--role <role>', "client (key surface), operator or admin (operator's API)", 'client')
    .option('--account <id>', 'create another key for this account')
    .option('--test-networks', 'allow the test networks, whatever the plan says')
    .option('--expires <date>', 'when the key expires, as 2027-01-31 or 2027-01-31T12:00:00Z')
    .action((options: CreateOptions) => withKeys(options, (context) => create(context, options)))

  withCommonOptions(keys.command('list').description('list all keys, without their secrets'))
    .option('--json', 'print JSON')
    .action((options: CommonOptions & { json?: boolean }) => withKeys(options, (context) => list(context, options.json === true)))

  withCommonOptions(
    keys
      .command('rotate')
      .argument('<id>', 'id of the key')
      .description('create a new key for the same account and let the old one expire'),
  )
    .option('--grace <hours>', 'grace period of the old key (default: rotation_grace_hours)')
    .action((id: string, options: CommonOptions & { grace?: string }) =>
      withKeys(options, (context) => rotate(context, id, options.grace)),
    )

  withCommonOptions(
    keys
      .command('revoke')
      .argument('<id>', 'id of the key')
      .description('revoke a key; it stops working everywhere within seconds'),
  ).action((id: string, options: CommonOptions) =>
    withKeys(options, async ({ sql }) => {
      await revokeKey(sql, id)
      process.stdout.write(`key ${id} is revoked; every server refuses it within 5 seconds\n`)
    }),
  )

  withCommonOptions(
    keys.command('usage').argument('<account>', 'account of the key').description('show the requests of an account per day'),
  ).action((account: string, options: CommonOptions) =>
    withKeys(options, async ({ sql }) => {
      const days = await listUsage(sql, account, 31)
      process.stdout.write(days.length > 0 ? formatTable(days) : `no requests of ${account} in the last 31 days\n`)
    }),
  )
}

function withKeys(options: CommonOptions, work: (context: Context) => Promise<void>): Promise<never> {
  const config = configOf(options)
  return runCommand(config.log_level, async () => {
    const database = await openDatabase(config)
    try {
      const { sql, secrets } = await openKeys(config, database.url, 1)
      try {
        await work({ config, sql, secrets })
      } finally {
        await sql.end()
      }
    } finally {
      await database.stop()
    }
  })
}

type CreateOptions = CommonOptions & {
  plan: string
  label: string
  role: string
  account?: string
  testNetworks?: boolean
  expires?: string
}

async function create({ config, sql, secrets }: Context, options: CreateOptions): Promise<void> {
  const names = config.access.plans.map(({ name }) => name)
  if (!names.includes(options.plan))
    throw new OperatorError('unknown_plan', `there is no plan ${options.plan}: the configuration has ${names.join(', ')}`)
  if (!ROLES.includes(options.role)) throw new OperatorError('unknown_role', `a role is one of ${ROLES.join(', ')}`)
  const expiresAt = options.expires === undefined ? undefined : new Date(options.expires)
  if (expiresAt && !(expiresAt.getTime() > Date.now()))
    throw new OperatorError('bad_expiry', '--expires takes a time in the future, as 2027-01-31')
  const made = await createKey(sql, secrets, {
    role: options.role as KeyRole,
    plan: options.plan,
    label: options.label,
    testNetworks: options.testNetworks ?? false,
    expiresAt,
    ...(options.account !== undefined && { account: options.account }),
  })
  show(made)
}

async function rotate({ config, sql, secrets }: Context, id: string, grace: string | undefined): Promise<void> {
  const hours = grace === undefined ? config.access.rotation_grace_hours : Number(grace)
  if (!(hours >= 0)) throw new OperatorError('bad_grace', '--grace takes a number of hours')
  const made = await rotateKey(sql, secrets, id, hours * HOUR_MS)
  show(made)
  process.stderr.write(`key ${id} works until ${made.oldExpiresAt.toISOString()}\n`)
}

/** The key alone goes to standard output, so that a script can take it. */
function show({ id, account, text, expiresAt }: MadeKey): void {
  process.stdout.write(`${text}\n`)
  const end = expiresAt === undefined ? '' : `, works until ${expiresAt.toISOString()}`
  process.stderr.write(`id ${id}, account ${account}${end}: keep the key now, it is not shown again\n`)
}

async function list({ sql }: Context, asJson: boolean): Promise<void> {
  const rows = (await listKeys(sql)).map((key) => ({
    id: key.id,
    account: key.account,
    role: key.role,
    plan: key.plan,
    label: key.label,
    key: `${key.prefix}…${key.last4}`,
    state: stateOf(key),
    created: key.created_at.slice(0, 10),
    'last used': key.last_used ?? 'never',
  }))
  if (asJson) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`)
  else
    process.stdout.write(
      rows.length > 0 ? formatTable(rows) : 'there are no keys yet: `astrolabe keys create --label NAME` makes one\n',
    )
}

function stateOf({ revoked_at: revoked, expires_at: expires }: ListedKey): string {
  if (revoked !== null) return 'revoked'
  if (expires === null) return 'active'
  return Date.parse(expires) > Date.now() ? `until ${expires.slice(0, 16)}Z` : 'expired'
}
